package dev.hearth.spi.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Syntax of settings with JVM options. Words are separated by blanks, with quotes and backslashes as in a shell. */
final class JavaOptions {
    /** Options that size the heap, which has a setting of its own. */
    private static final Pattern HEAP = Pattern.compile("-Xmx.*|-mx.*|-XX:MaxHeapSize=.*");
    /** Options after which Java takes the next word for its main class, and not for an option. */
    private static final Pattern MAIN = Pattern.compile("-jar|-m|--module|--module=.*");
    /** System properties that look like settings. They would have no effect. */
    private static final Pattern SETTING = Pattern.compile("-D(?:hearth|spark)\\..*");

    private JavaOptions() {}

    /** Whether {@code text} consists of options that a driver may have. */
    static boolean areOfDriver(String text) {
        return words(text).filter(JavaOptions::areOptions).isPresent();
    }

    /** Whether {@code text} consists of options that an executor may have: those of a driver, without settings. */
    static boolean areOfExecutor(String text) {
        return words(text)
                .filter(words -> areOptions(words)
                        && words.stream()
                                .noneMatch(word -> SETTING.matcher(word).matches()))
                .isPresent();
    }

    /** Words of a text; empty if a quote is not closed. */
    static Optional<List<String>> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean open = false; // also within a word that is empty so far, such as ""
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '\\' && quote != '\'' && i + 1 < text.length()) {
                i++;
                word.append(text.charAt(i));
                open = true;
            } else if (quote != 0 ? character == quote : character == '\'' || character == '"') {
                quote = quote == 0 ? character : 0;
                open = true;
            } else if (quote == 0 && Character.isWhitespace(character)) {
                if (open) {
                    words.add(word.toString());
                }
                word.setLength(0);
                open = false;
            } else {
                word.append(character);
                open = true;
            }
        }
        if (open) {
            words.add(word.toString());
        }
        return quote == 0 ? Optional.of(words) : Optional.empty();
    }

    private static boolean areOptions(List<String> words) {
        boolean takesValue = false; // as in --add-opens java.base/java.lang=ALL-UNNAMED
        for (String word : words) {
            boolean isOption = word.startsWith("-");
            if ((!isOption && !takesValue)
                    || word.indexOf('\0') >= 0
                    || HEAP.matcher(word).matches()
                    || MAIN.matcher(word).matches()) {
                return false;
            }
            takesValue = word.startsWith("--") && word.indexOf('=') < 0;
        }
        return true;
    }
}
