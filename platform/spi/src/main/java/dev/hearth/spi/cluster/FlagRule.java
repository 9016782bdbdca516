package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Rule for one flag of a submission: {@code name} is the flag, such as {@code --queue}; {@code alias} is its short form,
 * such as {@code -q}, or empty. {@code value} names the value in the usage text; it is empty for a switch. {@code
 * setting} is the setting that the flag sets; it is empty for a flag of the front end itself. {@code modes} are the
 * deploy modes in which the flag has an effect. {@code meaning} explains the flag in the usage text.
 */
public record FlagRule(
        String name,
        String alias,
        String value,
        String setting,
        Set<DeployMode> modes,
        Kind kind,
        Merge merge,
        String meaning) {

    /** Kind of a flag's value. Front ends check the values of a cluster's flags before any bundle of it starts. */
    public enum Kind {
        TEXT,
        /** Integer above 0. */
        NUMBER,
        /** Size of memory, such as {@code 2g}. */
        SIZE,
        /** Paths separated by commas, which front ends make absolute in the working directory; URIs stay as they are. */
        FILES,
        /** No value: the flag sets its setting to {@code true}. */
        SWITCH
    }

    /** Relation of a flag's value to other values of the same setting. */
    public enum Merge {
        /** The last occurrence of the flag counts, and overrides all other sources of the setting. */
        LAST,
        /** All occurrences count, after the value from other sources of the setting, separated by commas. */
        APPEND
    }

    public FlagRule {
        modes = Collections.unmodifiableSet(EnumSet.copyOf(modes));
        expect(name, isFlag(name), name, "two dashes, then lower-case letters, digits and dashes, as in --queue");
        expect(name, isAlias(alias), alias, "an alias of one dash and one letter, or none");
        expect(name, value.isEmpty() == (kind == Kind.SWITCH), value, "a word for the value, except for a switch");
        expect(name, merge == Merge.LAST || kind != Kind.SWITCH, merge.name(), "LAST for a switch");
        expect(name, setting.isEmpty() || setting.startsWith("hearth."), setting, "a setting that begins with hearth.");
        expect(name, !meaning.isBlank(), meaning, "an explanation of the flag");
    }

    public boolean takesValue() {
        return kind != Kind.SWITCH;
    }

    /** Whether {@code text} is the name or the alias of this flag. */
    public boolean isNamed(String text) {
        return name.equals(text) || (!alias.isEmpty() && alias.equals(text));
    }

    /** Whether {@code text} has the form of a flag's name. */
    static boolean isFlag(String text) {
        boolean legal = text.startsWith("--") && text.length() > 2 && text.charAt(2) != '-';
        for (int i = 2; legal && i < text.length(); i++) {
            char c = text.charAt(i);
            legal = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        }
        return legal;
    }

    private static boolean isAlias(String text) {
        return text.isEmpty() || (text.length() == 2 && text.charAt(0) == '-' && Character.isLetter(text.charAt(1)));
    }

    private static void expect(String flag, boolean holds, String found, String rule) {
        if (!holds) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "rule for flag " + flag + ": '" + found + "' (expected: " + rule + ")");
        }
    }
}
