package dev.hearth.itests.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The Javadoc and the comments of one Java source, each with its line. Immutable. */
record SourceComments(List<Comment> comments) {
    private static final String TEXT_BLOCK = "\"\"\"";
    private static final Pattern WORD = Pattern.compile("[A-Za-z']+");

    /** One comment with its delimiters; {@code line} is its first line, from 1. */
    record Comment(int line, String text) {
        boolean isJavadoc() {
            return text.startsWith("/**");
        }

        /** The text without delimiters and the asterisks of its lines, on one line. */
        String prose() {
            return text.replaceAll("^/\\*+|\\*+/$|(?m)^\\s*\\*+|//+", " ")
                    .replaceAll("\\s+", " ")
                    .strip();
        }

        int words() {
            return (int) WORD.matcher(text).results().count();
        }
    }

    static SourceComments of(String source) {
        List<Comment> found = new ArrayList<>();
        int line = 1;
        int at = 0;
        while (at < source.length()) {
            int end = endOfToken(source, at);
            String token = source.substring(at, end);
            if (token.startsWith("/*") || token.startsWith("//")) {
                found.add(new Comment(line, token));
            }
            line += (int) token.chars().filter(c -> c == '\n').count();
            at = end;
        }
        return new SourceComments(List.copyOf(found));
    }

    /** The end of the comment, literal or single character that begins at {@code at}. */
    private static int endOfToken(String source, int at) {
        if (source.startsWith("//", at)) {
            return orEnd(source, source.indexOf('\n', at));
        }
        if (source.startsWith("/*", at)) {
            return after(source, "*/", at + 2);
        }
        if (source.startsWith(TEXT_BLOCK, at)) {
            return after(source, TEXT_BLOCK, at + TEXT_BLOCK.length());
        }
        char quote = source.charAt(at);
        if (quote != '"' && quote != '\'') {
            return at + 1;
        }
        int end = at + 1;
        while (end < source.length() && source.charAt(end) != quote && source.charAt(end) != '\n') {
            end += source.charAt(end) == '\\' ? 2 : 1;
        }
        return Math.min(end + 1, source.length());
    }

    private static int after(String source, String mark, int from) {
        int found = source.indexOf(mark, from);
        return found < 0 ? source.length() : found + mark.length();
    }

    private static int orEnd(String source, int found) {
        return found < 0 ? source.length() : found;
    }
}
