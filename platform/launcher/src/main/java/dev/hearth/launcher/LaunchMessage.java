package dev.hearth.launcher;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of the protocol between a launched process and the program that launched it: a word and its values, separated
 * by tabs. In values, tabs, line ends and backslashes are escaped as in Java.
 */
record LaunchMessage(String word, List<String> values) {
    static final String HELLO = "hello";
    static final String STATE = "state";
    static final String APPLICATION = "application";
    static final String SUBMISSION = "submission";
    static final String LINK = "link";
    static final String END = "end";
    /** The only message to the process. */
    static final String STOP = "stop";

    static LaunchMessage parse(String line) {
        String[] fields = line.split("\t", -1);
        List<String> values = new ArrayList<>();
        for (int i = 1; i < fields.length; i++) {
            values.add(unescaped(fields[i]));
        }
        return new LaunchMessage(fields[0], List.copyOf(values));
    }

    /** The value at {@code index}; empty if the message has fewer. */
    String value(int index) {
        return index < values.size() ? values.get(index) : "";
    }

    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next == '\\' && i + 1 < text.length()) {
                i++;
                next = switch (text.charAt(i)) {
                    case 't' -> '\t';
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    default -> text.charAt(i);
                };
            }
            plain.append(next);
        }
        return plain.toString();
    }
}
