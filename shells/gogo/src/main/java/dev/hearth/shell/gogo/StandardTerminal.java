package dev.hearth.shell.gogo;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;

/** Asks whether input and output of this process are a terminal, without loading the line editor for it. */
final class StandardTerminal {
    private StandardTerminal() {}

    /** Since Java 22 there can be a console without a terminal, and a method that tells. */
    @SuppressWarnings("SystemConsoleNull") // newer ones are asked below
    static boolean isThere() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException before22) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("console: cannot be asked (expected: whether it is a terminal)", e);
        }
    }
}
