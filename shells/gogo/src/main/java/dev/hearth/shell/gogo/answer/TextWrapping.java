package dev.hearth.shell.gogo.answer;

import java.util.ArrayList;
import java.util.List;

/**
 * Breaks text into lines of limited width. Breaks at a blank if possible, otherwise after punctuation, otherwise at any
 * character. Stateless.
 */
final class TextWrapping {
    private static final String MARKS = ",;:/.-=&|)";

    private TextWrapping() {}

    /**
     * Returns {@code text} in lines of at most {@code width} characters, and at least one line. Omits only blanks at
     * the line breaks; replaces control characters by blanks.
     */
    static List<String> lines(String text, int width) {
        List<String> lines = new ArrayList<>();
        for (String line : text.split("\\R", -1)) {
            wrap(line.replaceAll("\\p{Cntrl}", " "), width, lines);
        }
        while (lines.size() > 1 && lines.get(lines.size() - 1).isEmpty()) {
            lines.remove(lines.size() - 1);
        }
        return lines;
    }

    private static void wrap(String line, int width, List<String> lines) {
        String rest = line.stripTrailing();
        while (rest.length() > width) {
            int end = breakAt(rest, width);
            lines.add(rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
        }
        lines.add(rest);
    }

    private static int breakAt(String text, int width) {
        int blank = text.lastIndexOf(' ', width);
        if (blank > 0 && !text.substring(0, blank).isBlank()) {
            return blank;
        }
        for (int at = width - 1; at > width / 2; at--) {
            if (MARKS.indexOf(text.charAt(at)) >= 0) {
                return at + 1;
            }
        }
        return width;
    }
}
