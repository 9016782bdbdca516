package dev.hearth.spi.error;

/**
 * Text from outside, such as names and messages of other processes, made safe for logs and terminals. Characters that
 * control a terminal, break lines or reorder text are replaced by {@code ?}: C0 and C1 controls except the tab, line
 * and paragraph separators, bidirectional controls and unpaired surrogates. Stateless.
 */
public final class PrintableText {
    private static final char REPLACEMENT = '?';

    private PrintableText() {}

    /** {@code text} made safe as one line: line breaks are replaced by {@code ?}, too. */
    public static String line(String text) {
        return clean(text, false);
    }

    /** {@code text} made safe as several lines: line breaks are retained, and CR LF becomes LF. */
    public static String lines(String text) {
        return clean(text, true);
    }

    /**
     * As {@link #lines}, but all lines after the first begin with a tab or blank. No part of {@code text} can then pose
     * as a log line of its own.
     */
    public static String marked(String text) {
        String lines = lines(text);
        if (lines.indexOf('\n') < 0) {
            return lines;
        }
        StringBuilder marked = new StringBuilder(lines.length() + 16);
        for (int at = 0; at < lines.length(); at++) {
            char next = lines.charAt(at);
            marked.append(next);
            if (next == '\n' && at + 1 < lines.length() && "\t \n".indexOf(lines.charAt(at + 1)) < 0) {
                marked.append('\t');
            }
        }
        return marked.toString();
    }

    /** Whether the character of {@code text} at index {@code at} is safe, so that it is not replaced by {@code ?}. */
    public static boolean isPrintable(CharSequence text, int at) {
        char c = text.charAt(at);
        if (c >= ' ' && c < 0x7f) {
            return true;
        }
        if (Character.isHighSurrogate(c)) {
            return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
        }
        if (Character.isLowSurrogate(c)) {
            return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
        }
        return c == '\t' || !(Character.isISOControl(c) || isSeparator(c) || isBidirectionalControl(c));
    }

    private static boolean isSeparator(char c) {
        return c == '\u2028' || c == '\u2029';
    }

    private static boolean isBidirectionalControl(char c) {
        return (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069')
                || c == '\u200e'
                || c == '\u200f'
                || c == '\u061c';
    }

    private static String clean(String text, boolean keepsLines) {
        int at = 0;
        while (at < text.length() && isPrintable(text, at)) {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        StringBuilder clean = new StringBuilder(text.length()).append(text, 0, at);
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (isPrintable(text, at) || (keepsLines && c == '\n')) {
                clean.append(c);
            } else if (!(keepsLines && c == '\r' && at + 1 < text.length() && text.charAt(at + 1) == '\n')) {
                clean.append(REPLACEMENT);
            }
        }
        return clean.toString();
    }
}
