package dev.hearth.testkit.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Screen of a simulated terminal: turns the output of a program into the text that a user would see. Understands line
 * feed, carriage return, backspace, tab, the cursor moves and erasures of ECMA-48, and the alternate screen. Ignores
 * colours and all other sequences. Guarded by its own lock.
 */
public final class Screen {
    private static final char ESCAPE = '\u001b';
    private static final int TAB_WIDTH = 8;
    private static final int SCROLLED_LINES_MAX = 10_000;

    private final List<String> scrolled = new ArrayList<>();
    private final StringBuilder sequence = new StringBuilder(); // an escape sequence whose end is still to come
    private char[][] cells;
    private char[][] main = new char[0][]; // the main screen while the alternate one is shown
    private int row;
    private int column; // equals the number of columns after the last cell of a line was written
    private int savedRow;
    private int savedColumn;

    public Screen(int rows, int columns) {
        this.cells = blank(rows, columns);
    }

    /** Changes the size. Lines are cut at the right and, above the cursor, at the top; none is wrapped again. */
    public synchronized void resize(int rows, int columns) {
        while (row >= rows) {
            scroll();
            row--;
        }
        cells = resized(cells, rows, columns);
        if (main.length > 0) {
            main = resized(main, rows, columns);
        }
        column = Math.min(column, columns);
    }

    /** Shows the output {@code text}, which may end within an escape sequence. */
    public synchronized void write(String text) {
        for (int at = 0; at < text.length(); at++) {
            char next = text.charAt(at);
            if (!sequence.isEmpty() || next == ESCAPE) {
                sequence.append(next);
                escape();
            } else {
                show(next);
            }
        }
    }

    /** Returns the lines of the screen, without trailing blanks and without blank lines at the end. */
    public synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (char[] line : cells) {
            lines.add(new String(line).stripTrailing());
        }
        while (!lines.isEmpty() && lines.get(lines.size() - 1).isEmpty()) {
            lines.remove(lines.size() - 1);
        }
        return lines;
    }

    /** Returns the lines that have left the screen at the top, oldest first. */
    public synchronized List<String> scrolled() {
        return List.copyOf(scrolled);
    }

    /** Returns {@link #lines}, joined by line feeds. */
    public String text() {
        return String.join("\n", lines());
    }

    /** Returns the text of the cursor's line from its start to the cursor. */
    public synchronized String beforeCursor() {
        return new String(cells[row], 0, Math.min(column, cells[row].length));
    }

    /** Returns the line of the cursor, counted from 0 at the top. */
    public synchronized int cursorRow() {
        return row;
    }

    private void show(char next) {
        switch (next) {
            case '\r' -> column = 0;
            case '\n' -> lineFeed();
            case '\b' -> column = Math.max(0, Math.min(column, width()) - 1);
            case '\t' -> column = Math.min(width() - 1, (column / TAB_WIDTH + 1) * TAB_WIDTH);
            default -> {
                if (next >= ' ' && next != '\u007f') {
                    put(next);
                }
            }
        }
    }

    private void put(char next) {
        if (column >= width()) {
            column = 0;
            lineFeed();
        }
        cells[row][column++] = next;
    }

    private void lineFeed() {
        if (row == cells.length - 1) {
            scroll();
        } else {
            row++;
        }
    }

    private void scroll() {
        if (main.length == 0 && scrolled.size() < SCROLLED_LINES_MAX) {
            scrolled.add(new String(cells[0]).stripTrailing());
        }
        moveLines(0, 1);
    }

    /** Removes {@code count} lines at {@code from}; those below move up. */
    private void moveLines(int from, int count) {
        for (int at = from; at < cells.length; at++) {
            cells[at] = at + count < cells.length ? cells[at + count] : blank(1, width())[0];
        }
    }

    private void insertLines(int from, int count) {
        for (int at = cells.length - 1; at >= from; at--) {
            cells[at] = at - count >= from ? cells[at - count] : blank(1, width())[0];
        }
    }

    /** Applies the escape sequence read so far, if it is complete. */
    private void escape() {
        if (sequence.length() < 2) {
            return;
        }
        char kind = sequence.charAt(1);
        char last = sequence.charAt(sequence.length() - 1);
        boolean ended = switch (kind) {
            case '[' -> sequence.length() > 2 && last >= '@' && last <= '~';
            case ']', 'P' -> last == '\u0007' || (last == '\\' && sequence.charAt(sequence.length() - 2) == ESCAPE);
            case '(', ')', '#' -> sequence.length() == 3;
            default -> true;
        };
        if (!ended) {
            return;
        }
        String whole = sequence.toString();
        sequence.setLength(0);
        switch (kind) {
            case '[' -> control(whole.substring(2, whole.length() - 1), last);
            case '7' -> saveCursor();
            case '8' -> restoreCursor();
            case 'M' -> reverseLineFeed();
            default -> {
                // colours, titles, character sets and key modes change no text
            }
        }
    }

    private void control(String parameters, char command) {
        if (parameters.startsWith("?")) {
            privateMode(parameters.substring(1), command);
            return;
        }
        int count = Math.max(1, parameter(parameters, 0, 1));
        int at = Math.min(column, width() - 1);
        switch (command) {
            case 'A' -> move(row - count, at);
            case 'B' -> move(row + count, at);
            case 'C' -> move(row, at + count);
            case 'D' -> move(row, at - count);
            case 'E' -> move(row + count, 0);
            case 'F' -> move(row - count, 0);
            case 'G' -> move(row, count - 1);
            case 'd' -> move(count - 1, at);
            case 'H', 'f' -> move(count - 1, Math.max(1, parameter(parameters, 1, 1)) - 1);
            case 'J' -> eraseScreen(parameter(parameters, 0, 0));
            case 'K' -> eraseLine(parameter(parameters, 0, 0));
            case 'L' -> insertLines(row, count);
            case 'M' -> moveLines(row, count);
            case 'P' -> deleteCharacters(at, count);
            case '@' -> insertCharacters(at, count);
            case 'X' -> Arrays.fill(cells[row], at, Math.min(width(), at + count), ' ');
            case 's' -> saveCursor();
            case 'u' -> restoreCursor();
            default -> {
                // colours and reports change no text
            }
        }
    }

    private void privateMode(String parameters, char command) {
        if (!parameters.equals("1049") && !parameters.equals("47")) {
            return;
        }
        if (command == 'h' && main.length == 0) {
            saveCursor();
            main = cells;
            cells = blank(cells.length, width());
        } else if (command == 'l' && main.length > 0) {
            cells = main;
            main = new char[0][];
            restoreCursor();
        }
    }

    private void move(int toRow, int toColumn) {
        row = Math.max(0, Math.min(cells.length - 1, toRow));
        column = Math.max(0, Math.min(width() - 1, toColumn));
    }

    private void saveCursor() {
        savedRow = row;
        savedColumn = column;
    }

    private void restoreCursor() {
        move(savedRow, savedColumn);
    }

    private void reverseLineFeed() {
        if (row == 0) {
            insertLines(0, 1);
        } else {
            row--;
        }
    }

    private void eraseScreen(int part) {
        eraseLine(part);
        int from = part == 0 ? row + 1 : 0;
        int to = part == 1 ? row : cells.length;
        for (int at = from; at < to; at++) {
            Arrays.fill(cells[at], ' ');
        }
    }

    private void eraseLine(int part) {
        int from = part == 0 ? Math.min(column, width()) : 0;
        int to = part == 1 ? Math.min(column + 1, width()) : width();
        Arrays.fill(cells[row], from, to, ' ');
    }

    private void deleteCharacters(int at, int count) {
        int moved = Math.max(0, width() - at - count);
        System.arraycopy(cells[row], width() - moved, cells[row], at, moved);
        Arrays.fill(cells[row], at + moved, width(), ' ');
    }

    private void insertCharacters(int at, int count) {
        int moved = Math.max(0, width() - at - count);
        System.arraycopy(cells[row], at, cells[row], width() - moved, moved);
        Arrays.fill(cells[row], at, width() - moved, ' ');
    }

    private int width() {
        return cells[0].length;
    }

    private static int parameter(String parameters, int place, int otherwise) {
        String[] all = parameters.split(";", -1);
        if (place >= all.length || !all[place].matches("\\d{1,5}")) {
            return otherwise;
        }
        return Integer.parseInt(all[place]);
    }

    private static char[][] blank(int rows, int columns) {
        char[][] cells = new char[rows][columns];
        for (char[] line : cells) {
            Arrays.fill(line, ' ');
        }
        return cells;
    }

    private static char[][] resized(char[][] before, int rows, int columns) {
        char[][] after = blank(rows, columns);
        for (int at = 0; at < Math.min(rows, before.length); at++) {
            System.arraycopy(before[at], 0, after[at], 0, Math.min(columns, before[at].length));
        }
        return after;
    }
}
