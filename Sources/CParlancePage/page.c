#include "page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_answers_js[] = {
#embed "assets/answers.js"
};
static const unsigned char file_api_js[] = {
#embed "assets/api.js"
};
static const unsigned char file_assistant_js[] = {
#embed "assets/assistant.js"
};
static const unsigned char file_attach_js[] = {
#embed "assets/attach.js"
};
static const unsigned char file_attention_js[] = {
#embed "assets/attention.js"
};
static const unsigned char file_banner_js[] = {
#embed "assets/banner.js"
};
static const unsigned char file_chat_js[] = {
#embed "assets/chat.js"
};
static const unsigned char file_clearing_js[] = {
#embed "assets/clearing.js"
};
static const unsigned char file_complete_js[] = {
#embed "assets/complete.js"
};
static const unsigned char file_composer_js[] = {
#embed "assets/composer.js"
};
static const unsigned char file_contact_js[] = {
#embed "assets/contact.js"
};
static const unsigned char file_conversation_js[] = {
#embed "assets/conversation.js"
};
static const unsigned char file_disk_js[] = {
#embed "assets/disk.js"
};
static const unsigned char file_doctor_js[] = {
#embed "assets/doctor.js"
};
static const unsigned char file_doings_js[] = {
#embed "assets/doings.js"
};
static const unsigned char file_dom_js[] = {
#embed "assets/dom.js"
};
static const unsigned char file_drafts_js[] = {
#embed "assets/drafts.js"
};
static const unsigned char file_emoji_js[] = {
#embed "assets/emoji.js"
};
static const unsigned char file_face_js[] = {
#embed "assets/face.js"
};
static const unsigned char file_files_js[] = {
#embed "assets/files.js"
};
static const unsigned char file_groups_js[] = {
#embed "assets/groups.js"
};
static const unsigned char file_head_js[] = {
#embed "assets/head.js"
};
static const unsigned char file_history_js[] = {
#embed "assets/history.js"
};
static const unsigned char file_icon_svg[] = {
#embed "assets/icon.svg"
};
static const unsigned char file_index_html[] = {
#embed "assets/index.html"
};
static const unsigned char file_keys_js[] = {
#embed "assets/keys.js"
};
static const unsigned char file_labels_js[] = {
#embed "assets/labels.js"
};
static const unsigned char file_life_js[] = {
#embed "assets/life.js"
};
static const unsigned char file_list_js[] = {
#embed "assets/list.js"
};
static const unsigned char file_log_js[] = {
#embed "assets/log.js"
};
static const unsigned char file_main_js[] = {
#embed "assets/main.js"
};
static const unsigned char file_manifest_webmanifest[] = {
#embed "assets/manifest.webmanifest"
};
static const unsigned char file_markdown_js[] = {
#embed "assets/markdown.js"
};
static const unsigned char file_me_js[] = {
#embed "assets/me.js"
};
static const unsigned char file_menu_js[] = {
#embed "assets/menu.js"
};
static const unsigned char file_message_js[] = {
#embed "assets/message.js"
};
static const unsigned char file_names_js[] = {
#embed "assets/names.js"
};
static const unsigned char file_network_js[] = {
#embed "assets/network.js"
};
static const unsigned char file_nothing_js[] = {
#embed "assets/nothing.js"
};
static const unsigned char file_outbox_js[] = {
#embed "assets/outbox.js"
};
static const unsigned char file_outgoing_js[] = {
#embed "assets/outgoing.js"
};
static const unsigned char file_ownpicture_js[] = {
#embed "assets/ownpicture.js"
};
static const unsigned char file_page_css[] = {
#embed "assets/page.css"
};
static const unsigned char file_parts_js[] = {
#embed "assets/parts.js"
};
static const unsigned char file_pending_js[] = {
#embed "assets/pending.js"
};
static const unsigned char file_people_js[] = {
#embed "assets/people.js"
};
static const unsigned char file_person_js[] = {
#embed "assets/person.js"
};
static const unsigned char file_picture_js[] = {
#embed "assets/picture.js"
};
static const unsigned char file_portrait_js[] = {
#embed "assets/portrait.js"
};
static const unsigned char file_preferences_js[] = {
#embed "assets/preferences.js"
};
static const unsigned char file_qr_js[] = {
#embed "assets/qr.js"
};
static const unsigned char file_search_js[] = {
#embed "assets/search.js"
};
static const unsigned char file_settings_js[] = {
#embed "assets/settings.js"
};
static const unsigned char file_state_js[] = {
#embed "assets/state.js"
};
static const unsigned char file_talk_js[] = {
#embed "assets/talk.js"
};
static const unsigned char file_texts_js[] = {
#embed "assets/texts.js"
};
static const unsigned char file_verify_js[] = {
#embed "assets/verify.js"
};
static const unsigned char file_view_js[] = {
#embed "assets/view.js"
};
static const unsigned char file_views_css[] = {
#embed "assets/views.css"
};
static const unsigned char file_views_js[] = {
#embed "assets/views.js"
};
static const unsigned char file_week_js[] = {
#embed "assets/week.js"
};
static const unsigned char file_words_js[] = {
#embed "assets/words.js"
};
static const unsigned char file_worker_js[] = {
#embed "assets/worker.js"
};
static const unsigned char file_workspace_js[] = {
#embed "assets/workspace.js"
};

#define ASSET(file, content) {file, content, sizeof content}

static const struct parlance_page_asset assets[] = {
    ASSET("answers.js", file_answers_js),
    ASSET("api.js", file_api_js),
    ASSET("assistant.js", file_assistant_js),
    ASSET("attach.js", file_attach_js),
    ASSET("attention.js", file_attention_js),
    ASSET("banner.js", file_banner_js),
    ASSET("chat.js", file_chat_js),
    ASSET("clearing.js", file_clearing_js),
    ASSET("complete.js", file_complete_js),
    ASSET("composer.js", file_composer_js),
    ASSET("contact.js", file_contact_js),
    ASSET("conversation.js", file_conversation_js),
    ASSET("disk.js", file_disk_js),
    ASSET("doctor.js", file_doctor_js),
    ASSET("doings.js", file_doings_js),
    ASSET("dom.js", file_dom_js),
    ASSET("drafts.js", file_drafts_js),
    ASSET("emoji.js", file_emoji_js),
    ASSET("face.js", file_face_js),
    ASSET("files.js", file_files_js),
    ASSET("groups.js", file_groups_js),
    ASSET("head.js", file_head_js),
    ASSET("history.js", file_history_js),
    ASSET("icon.svg", file_icon_svg),
    ASSET("index.html", file_index_html),
    ASSET("keys.js", file_keys_js),
    ASSET("labels.js", file_labels_js),
    ASSET("life.js", file_life_js),
    ASSET("list.js", file_list_js),
    ASSET("log.js", file_log_js),
    ASSET("main.js", file_main_js),
    ASSET("manifest.webmanifest", file_manifest_webmanifest),
    ASSET("markdown.js", file_markdown_js),
    ASSET("me.js", file_me_js),
    ASSET("menu.js", file_menu_js),
    ASSET("message.js", file_message_js),
    ASSET("names.js", file_names_js),
    ASSET("network.js", file_network_js),
    ASSET("nothing.js", file_nothing_js),
    ASSET("outbox.js", file_outbox_js),
    ASSET("outgoing.js", file_outgoing_js),
    ASSET("ownpicture.js", file_ownpicture_js),
    ASSET("page.css", file_page_css),
    ASSET("parts.js", file_parts_js),
    ASSET("pending.js", file_pending_js),
    ASSET("people.js", file_people_js),
    ASSET("person.js", file_person_js),
    ASSET("picture.js", file_picture_js),
    ASSET("portrait.js", file_portrait_js),
    ASSET("preferences.js", file_preferences_js),
    ASSET("qr.js", file_qr_js),
    ASSET("search.js", file_search_js),
    ASSET("settings.js", file_settings_js),
    ASSET("state.js", file_state_js),
    ASSET("talk.js", file_talk_js),
    ASSET("texts.js", file_texts_js),
    ASSET("verify.js", file_verify_js),
    ASSET("view.js", file_view_js),
    ASSET("views.css", file_views_css),
    ASSET("views.js", file_views_js),
    ASSET("week.js", file_week_js),
    ASSET("words.js", file_words_js),
    ASSET("worker.js", file_worker_js),
    ASSET("workspace.js", file_workspace_js),
};

size_t parlance_page_count(void) { return sizeof assets / sizeof *assets; }

struct parlance_page_asset parlance_page_asset(size_t index) { return assets[index]; }
