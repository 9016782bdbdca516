package dev.hearth.spi.role;

import java.util.List;

/**
 * Description of a role, a command or a script in the help. {@code operands} are the arguments in the usage line;
 * {@code operandKind} is their kind for completion: a kind of option in lower case, {@code role}, {@code command} for
 * commands that end the options, {@code class} for names of examples, or empty. {@code notes} are further lines of the
 * help. Immutable.
 */
public record RoleUsage(
        String name,
        Kind kind,
        String operands,
        String operandKind,
        String summary,
        List<RoleOption> options,
        List<Variable> variables,
        List<String> notes,
        List<String> examples) {

    /** Kind of program that the text describes. */
    public enum Kind {
        /** Role of a process: {@code bin/hearth NAME}. */
        ROLE,
        /** Command of {@code bin/hearth} that runs no role. */
        COMMAND,
        /** File in {@code bin/} or {@code sbin/}. */
        SCRIPT
    }

    /** Environment variable, the variable of Spark with the same effect or an empty text, and what it does. */
    public record Variable(String name, String alias, String value, String meaning) {}

    public RoleUsage {
        options = List.copyOf(options);
        variables = List.copyOf(variables);
        notes = List.copyOf(notes);
        examples = List.copyOf(examples);
    }
}
