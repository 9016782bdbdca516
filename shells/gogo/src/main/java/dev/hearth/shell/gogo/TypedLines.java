package dev.hearth.shell.gogo;

import dev.hearth.shell.gogo.command.LineHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.reader.History;

/** Lines that the user has typed, numbered as the command {@code history} shows them. Used by the shell's thread. */
final class TypedLines implements LineHistory {
    /** Lines that the line editor does not add to its history, because the recalled line is added. */
    static final String IGNORED = "!*";

    private final History history;

    TypedLines(History history) {
        this.history = history;
    }

    @Override
    public List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        history.forEach(entry -> lines.add(new Line(entry.index() + 1, entry.line())));
        return lines;
    }

    /** Whether {@code line} recalls an earlier line: {@code !7}, {@code !!}, {@code !-2} or {@code !start}. */
    static boolean isRecall(String line) {
        return line.length() > 1 && line.charAt(0) == '!' && line.charAt(1) != ' ';
    }

    /** Returns the line that {@code recall} stands for, and adds it to the history; empty if there is none. */
    Optional<String> recalled(String recall) {
        Optional<String> line = find(recall.strip().substring(1), lines());
        line.ifPresent(history::add);
        return line;
    }

    static Optional<String> find(String wanted, List<Line> lines) {
        if (wanted.matches("\\d{1,9}")) {
            int number = Integer.parseInt(wanted);
            return lines.stream()
                    .filter(line -> line.number() == number)
                    .map(Line::text)
                    .findFirst();
        }
        if (wanted.equals("!") || wanted.matches("-\\d{1,9}")) {
            int back = wanted.equals("!") ? 1 : Integer.parseInt(wanted.substring(1));
            return back >= 1 && back <= lines.size()
                    ? Optional.of(lines.get(lines.size() - back).text())
                    : Optional.empty();
        }
        for (int at = lines.size() - 1; at >= 0; at--) {
            if (lines.get(at).text().startsWith(wanted)) {
                return Optional.of(lines.get(at).text());
            }
        }
        return Optional.empty();
    }
}
