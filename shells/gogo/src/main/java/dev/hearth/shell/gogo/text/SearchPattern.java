package dev.hearth.shell.gogo.text;

import java.util.concurrent.CancellationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Regular expression that the command {@code grep} searches for. Immutable. */
final class SearchPattern {
    private static final String MATCH_BEGIN = "\u001b[1;31m";
    private static final String MATCH_END = "\u001b[0m";

    private final Pattern pattern;

    SearchPattern(String expression, boolean ignoresCase) {
        try {
            pattern = Pattern.compile(expression, ignoresCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
        } catch (PatternSyntaxException e) {
            throw FilterOptions.misused(
                    "grep", "'" + expression + "': " + e.getDescription() + " (expected: a regular expression)");
        }
    }

    boolean isIn(String line) {
        return pattern.matcher(new Interruptible(line)).find();
    }

    /** Returns {@code line} with all matches in colour. */
    String painted(String line) {
        Matcher matcher = pattern.matcher(new Interruptible(line));
        StringBuilder text = new StringBuilder();
        int from = 0;
        while (matcher.find()) {
            text.append(line, from, matcher.start());
            if (matcher.end() > matcher.start()) {
                text.append(MATCH_BEGIN)
                        .append(line, matcher.start(), matcher.end())
                        .append(MATCH_END);
            }
            from = matcher.end();
        }
        return text.append(line, from, line.length()).toString();
    }

    /** Text whose search ends when the thread is interrupted, as some expressions would search for years. */
    private record Interruptible(CharSequence text) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int at) {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("interrupted");
            }
            return text.charAt(at);
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            return new Interruptible(text.subSequence(from, to));
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
