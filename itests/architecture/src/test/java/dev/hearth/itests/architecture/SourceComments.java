package dev.hearth.itests.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Javadoc and the comments of one Java source, each with its line. Immutable. */
record SourceComments(List<Comment> comments) {
    /** Literals come first, so that a comment's characters within one are skipped. */
    private static final Pattern TOKEN = Pattern.compile("\"\"\"(?:\\\\.|[^\\\\])*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\""
            + "|'(?:\\\\.|[^'\\\\\\n])*'|(/\\*[^*]*\\*+(?:[^/*][^*]*\\*+)*/|//[^\\n]*)");

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
        Matcher token = TOKEN.matcher(source);
        int line = 1;
        int counted = 0;
        while (token.find()) {
            if (token.group(1) == null) {
                continue;
            }
            for (; counted < token.start(); counted++) {
                line += source.charAt(counted) == '\n' ? 1 : 0;
            }
            found.add(new Comment(line, token.group(1)));
        }
        return new SourceComments(List.copyOf(found));
    }
}
