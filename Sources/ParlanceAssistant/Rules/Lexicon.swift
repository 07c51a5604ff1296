/// The English and German words that the rules know.
///
/// The lists are written as people write the words; `Phrases` folds them as `Tokenizer` does.
enum Lexicon {}
