#pragma once

/// Stands for libsodium's function of that name, and calls it.
int crypto_sign_ed25519_verify_detached(
    const unsigned char *signature, const unsigned char *message, unsigned long long length, const unsigned char *key);
