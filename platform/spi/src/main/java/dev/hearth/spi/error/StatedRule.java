package dev.hearth.spi.error;

import java.util.stream.Collectors;

/**
 * Limits the parts {@code (expected: ...)} of an error text, which state rules. A failure that quotes its cause would
 * state the rules of both; only the first rule of each line is kept, which is closest to what was found. Stateless.
 */
final class StatedRule {
    private static final String BEGIN = "(expected: ";

    private StatedRule() {}

    /** Copy of {@code message} in which each line keeps only its first part {@code (expected: ...)}. */
    static String onlyFirst(String message) {
        if (message.indexOf(BEGIN) == message.lastIndexOf(BEGIN)) {
            return message;
        }
        return message.lines().map(StatedRule::onlyFirstOfLine).collect(Collectors.joining("\n"));
    }

    private static String onlyFirstOfLine(String line) {
        int first = line.indexOf(BEGIN);
        int end = first < 0 ? -1 : end(line, first);
        if (end < 0) {
            return line;
        }
        StringBuilder text = new StringBuilder(line.substring(0, end));
        int done = end;
        for (int next = line.indexOf(BEGIN, done); next >= 0; next = line.indexOf(BEGIN, done)) {
            int nextEnd = end(line, next);
            if (nextEnd < 0) {
                break;
            }
            text.append(line.substring(done, next).stripTrailing());
            done = nextEnd;
        }
        return text.append(line.substring(done)).toString();
    }

    /**
     * Index in {@code line} after the part {@code (expected: ...)} that begins at {@code begin}; negative if its
     * parenthesis is not closed.
     */
    private static int end(String line, int begin) {
        int depth = 0;
        for (int i = begin; i < line.length(); i++) {
            char c = line.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0) {
                return i + 1;
            }
        }
        return -1;
    }
}
