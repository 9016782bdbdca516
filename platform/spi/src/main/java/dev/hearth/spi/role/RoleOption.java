package dev.hearth.spi.role;

import dev.hearth.spi.error.ErrorCode;

/**
 * Option of a role's command line: {@code name} is the option, such as {@code --port}; {@code alias} is its short form,
 * such as {@code -p}, or empty. {@code value} names the value in the usage text; it is empty for a switch. {@code
 * setting} is the setting that the option sets; it is empty for an option that the role itself reads. {@code meaning}
 * explains the option in the usage text.
 */
public record RoleOption(String name, String alias, String value, Kind kind, String setting, String meaning) {
    /** Kind of an option's value, by which shells complete it. */
    public enum Kind {
        TEXT,
        NUMBER,
        /** Size of memory, such as {@code 2g}. */
        SIZE,
        FILE,
        DIRECTORY,
        /** Name or address of this machine. */
        HOST,
        /** {@code HOST:PORT} of a process, or the id of an application or driver. */
        ADDRESS,
        /** URL of a master. */
        MASTER,
        /** No value. */
        SWITCH,
        /** Option of Spark without a counterpart here; it is accepted with a warning, which {@code meaning} explains. */
        IGNORED
    }

    public RoleOption {
        expect(name, name.startsWith("--") && name.length() > 2, name, "two dashes and a word, as in --port");
        expect(name, alias.isEmpty() || (alias.length() == 2 && alias.charAt(0) == '-'), alias, "a dash and a letter");
        expect(name, value.isEmpty() == (kind == Kind.SWITCH), value, "a word for the value, except for a switch");
        expect(name, setting.isEmpty() || setting.startsWith("hearth."), setting, "a setting that begins with hearth.");
        expect(name, !meaning.isBlank(), meaning, "an explanation of the option");
    }

    public boolean takesValue() {
        return !value.isEmpty();
    }

    /** Whether {@code text} is the name or the alias of this option. */
    public boolean isNamed(String text) {
        return name.equals(text) || (!alias.isEmpty() && alias.equals(text));
    }

    private static void expect(String option, boolean holds, String found, String rule) {
        if (!holds) {
            throw ErrorCode.BAD_ARGUMENT.failure("option " + option + ": '" + found + "' (expected: " + rule + ")");
        }
    }
}
