package dev.hearth.shell.gogo.command;

import java.util.List;

/** Lines that the user of a terminal has typed. A shell puts it into its session as {@link #VARIABLE}. */
public interface LineHistory {
    /** Name of the variable of a shell session that contains the history. */
    String VARIABLE = "shell.typed";

    /** Returns the lines, oldest first. */
    List<Line> lines();

    /** One line and its number, by which {@code !NUMBER} runs it again. */
    record Line(int number, String text) {}
}
