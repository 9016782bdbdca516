package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.error.ErrorCode;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.felix.gogo.runtime.CommandProxy;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;

/**
 * Lists commands and their usage. Both come from the {@code @Descriptor} of a command's method: the first line is the
 * purpose, and the remaining lines are the usage. Created for each call; stateless.
 */
@Component(
        service = HelpCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandProcessor.COMMAND_FUNCTION + "=help"
        })
public final class HelpCommands {
    /** Name of the variable of a gogo session that contains the names of all commands. */
    private static final String COMMANDS = ".commands";

    @Descriptor("""
            Lists the commands, or shows how to use one.
            help [COMMAND] [--json]""")
    public void help(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "help", arguments, 1);
        SortedMap<String, String> known = described(session);
        Optional<String> wanted = call.word(0).map(name -> name.contains(":") ? name : CommandCall.SCOPE + ":" + name);
        if (wanted.isPresent()) {
            call.answer(usage(wanted.get(), known));
            return;
        }
        Table.Builder table = Table.of("command", "what");
        known.forEach((name, text) -> table.row(OutputValue.of(name), OutputValue.of(firstLine(text))));
        call.answer(table.build("no commands"));
    }

    /**
     * Returns the descriptions of commands, by name in the form {@code scope:command}. Commands without a description
     * are omitted.
     */
    static SortedMap<String, String> described(CommandSession session) {
        SortedMap<String, String> described = new TreeMap<>();
        if (session.get(COMMANDS) instanceof Collection<?> names) {
            for (Object name : names) {
                String command = name.toString();
                if (session.get(command) instanceof CommandProxy proxy) {
                    String function = command.substring(command.indexOf(':') + 1);
                    descriptor(proxy, function).ifPresent(text -> described.put(command, text));
                }
            }
        }
        return described;
    }

    private static FieldList usage(String command, SortedMap<String, String> known) {
        String text = known.get(command);
        if (text == null) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "command '" + command + "': unknown (expected: one of " + known.keySet() + ")");
        }
        String first = firstLine(text);
        return FieldList.begin()
                .fact("command", OutputValue.of(command))
                .fact("what", OutputValue.of(first))
                .fact("use", OutputValue.of(text.substring(first.length()).strip()))
                .build();
    }

    private static Optional<String> descriptor(CommandProxy proxy, String function) {
        Object target = proxy.getTarget();
        try {
            if (target == null) {
                return Optional.empty(); // the bundle of the command has been stopped
            }
            for (Method method : target.getClass().getMethods()) {
                Descriptor descriptor = method.getAnnotation(Descriptor.class);
                if (descriptor != null && method.getName().equalsIgnoreCase(function)) {
                    return Optional.of(descriptor.value());
                }
            }
            return Optional.empty();
        } finally {
            proxy.ungetTarget();
        }
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
