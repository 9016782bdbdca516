package dev.hearth.shell.gogo.answer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Table with column titles. Text wider than the page is wrapped within its column, between words, and never cut. A note
 * is a column that is printed below its row, over the whole width of the page. Immutable.
 */
public final class Table implements CommandOutput {
    private static final String GAP = "  ";
    private static final int COLUMN_WIDTH_MIN = 8;
    /** Length up to which a word, such as an id or an address, is not broken even if the table exceeds the page. */
    private static final int WORD_WHOLE_MAX = 26;

    private static final String NOTE_INDENT = "    ";

    private final List<String> columns;
    private final List<List<OutputValue>> rows;
    private final int shown; // columns; the others are notes
    private final String whenEmpty;
    private final boolean isUnknown;

    private Table(Builder builder, List<List<OutputValue>> rows, String whenEmpty, boolean isUnknown) {
        this.columns = List.copyOf(builder.columns);
        this.rows = rows.stream().map(List::copyOf).toList();
        this.shown = columns.size() - builder.notes;
        this.whenEmpty = whenEmpty;
        this.isUnknown = isUnknown;
    }

    /** Begins a table. The name of a column is its title in text and its key in JSON. */
    public static Builder of(String... columns) {
        return new Builder(List.of(columns));
    }

    @Override
    public String text(PageFormat page) {
        if (rows.isEmpty()) {
            return whenEmpty + "\n";
        }
        int[] widths = widths(page.width());
        StringBuilder text = new StringBuilder();
        List<OutputValue> titles =
                columns.subList(0, shown).stream().map(OutputValue::of).toList();
        line(titles, widths, PageFormat.of(page.width(), false), page.colours() ? "\u001b[1m" : "", text);
        for (List<OutputValue> row : rows) {
            line(row, widths, page, "", text);
            for (OutputValue note : row.subList(shown, row.size())) {
                note(note, page, text);
            }
        }
        return text.toString();
    }

    @Override
    public String json() {
        if (isUnknown) {
            return "null";
        }
        List<String> objects = new ArrayList<>();
        for (List<OutputValue> row : rows) {
            Map<String, String> object = new LinkedHashMap<>();
            for (int at = 0; at < columns.size(); at++) {
                row.get(at).addTo(object, columns.get(at));
            }
            objects.add(AsciiJson.object(object));
        }
        return AsciiJson.array(objects);
    }

    /** Text of all values that do not change with the time alone. It differs if what the table shows has changed. */
    public String signature() {
        return rows.stream()
                .flatMap(List::stream)
                .filter(cell -> !cell.moving())
                .map(cell -> cell.json() + cell.fields() + cell.shown())
                .collect(Collectors.joining("\n", whenEmpty + "\n", ""));
    }

    /**
     * Computes the width of each column, at first the length of its longest cell. Then narrows the widest columns until
     * the table fits the page.
     */
    private int[] widths(int page) {
        int[] widths = new int[shown];
        int[] floors = new int[shown];
        for (int at = 0; at < widths.length; at++) {
            widths[at] = columns.get(at).length();
            for (List<OutputValue> row : rows) {
                int longest = row.get(at)
                        .shown()
                        .lines()
                        .mapToInt(String::length)
                        .max()
                        .orElse(0);
                widths[at] = Math.max(widths[at], longest);
                floors[at] = Math.max(floors[at], floor(row.get(at)));
            }
            floors[at] = Math.max(
                    floors[at], Math.min(WORD_WHOLE_MAX, columns.get(at).length()));
        }
        int excess = Arrays.stream(widths).sum() - (page - GAP.length() * (widths.length - 1));
        while (excess > 0) {
            int widest = widest(widths, floors);
            if (widest < 0) {
                break; // no column can be narrowed further
            }
            int second = 0;
            for (int at = 0; at < widths.length; at++) {
                second = at == widest ? second : Math.max(second, widths[at]);
            }
            int least = Math.max(floors[widest], Math.min(second, widths[widest] - 1));
            int narrowed = Math.max(least, widths[widest] - excess);
            excess -= widths[widest] - narrowed;
            widths[widest] = narrowed;
        }
        return widths;
    }

    /** Returns the widest column that can be narrowed, or -1 if none can. */
    private static int widest(int[] widths, int[] floors) {
        int widest = -1;
        for (int at = 0; at < widths.length; at++) {
            if (widths[at] > floors[at] && (widest < 0 || widths[at] > widths[widest])) {
                widest = at;
            }
        }
        return widest;
    }

    /** Returns the least width at which no word of {@code cell} is broken, except very long ones. */
    private static int floor(OutputValue cell) {
        int longest = 0;
        for (String word : cell.shown().split("\\s+", -1)) {
            longest = Math.max(longest, word.length() > WORD_WHOLE_MAX ? COLUMN_WIDTH_MIN : word.length());
        }
        return longest;
    }

    private static void note(OutputValue note, PageFormat page, StringBuilder text) {
        if (note.shown().isBlank()) {
            return;
        }
        for (String line : TextWrapping.lines(note.shown(), page.width() - NOTE_INDENT.length())) {
            text.append(NOTE_INDENT).append(note.painted(line, page)).append('\n');
        }
    }

    private static void line(List<OutputValue> cells, int[] widths, PageFormat page, String style, StringBuilder text) {
        List<List<String>> wrapped = new ArrayList<>();
        int height = 0;
        for (int at = 0; at < widths.length; at++) {
            List<String> lines = TextWrapping.lines(cells.get(at).shown(), widths[at]);
            wrapped.add(lines);
            height = Math.max(height, lines.size());
        }
        for (int row = 0; row < height; row++) {
            StringBuilder line = new StringBuilder();
            int trailing = 0; // number of trailing blanks, which are not written
            for (int at = 0; at < widths.length; at++) {
                List<String> lines = wrapped.get(at);
                String part = row < lines.size() ? lines.get(row) : "";
                if (!part.isEmpty()) {
                    line.append(" ".repeat(trailing)).append(cells.get(at).painted(part, page));
                    trailing = 0;
                }
                trailing += widths[at] - part.length() + GAP.length();
            }
            text.append(style)
                    .append(line)
                    .append(style.isEmpty() ? "" : "\u001b[0m")
                    .append('\n');
        }
    }

    /** Collects the rows of a table. Used by one thread. */
    public static final class Builder {
        private final List<String> columns;
        private final List<List<OutputValue>> rows = new ArrayList<>();
        private int notes;

        private Builder(List<String> columns) {
            this.columns = columns;
        }

        /** Prints the last column below each row, where it is not blank, instead of beside the others. */
        public Builder lastIsNote() {
            notes = 1;
            return this;
        }

        public Builder row(OutputValue... cells) {
            if (cells.length != columns.size()) {
                throw new IllegalArgumentException(
                        "row: " + cells.length + " cells (expected: " + columns.size() + ", one for each column)");
            }
            rows.add(List.of(cells));
            return this;
        }

        /** Builds the table. {@code whenEmpty} is the text that is shown if the table has no rows. */
        public Table build(String whenEmpty) {
            return new Table(this, rows, whenEmpty, false);
        }

        /** Builds a table whose rows are not known, for the reason {@code why}. In JSON it is null. */
        public Table unknown(String why) {
            return new Table(this, List.of(), why, true);
        }
    }
}
