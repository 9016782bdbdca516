package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Process;
import org.osgi.service.component.annotations.Component;

/** Commands for the user's terminal. A remote shell runs them in the process of the terminal. Created for each call. */
@Component(
        service = TerminalCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Shell",
            CommandProcessor.COMMAND_FUNCTION + "=history",
            CommandProcessor.COMMAND_FUNCTION + "=clear"
        })
public final class TerminalCommands {
    /** Moves the cursor to the top, then erases the screen and the lines that have scrolled off. */
    private static final String CLEAR = "\u001b[H\u001b[2J\u001b[3J";

    @Descriptor("""
            Lists the lines typed at this terminal.
            history [NUMBER] [--json]   NUMBER: only so many, the last ones
            !NUMBER runs a line again, !! the last one, !TEXT the last that begins with TEXT.
            Example: history | grep deploy""")
    public void history(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "history", arguments, 1);
        if (!(session.get(LineHistory.VARIABLE) instanceof LineHistory typed)) {
            throw ErrorCode.NO_PROVIDER.failure(
                    "hearth:history: no history (expected: a shell at a terminal, which keeps one)");
        }
        List<LineHistory.Line> lines = typed.lines();
        Optional<String> wanted = call.word(0);
        if (wanted.isPresent() && !wanted.get().matches("\\d{1,9}")) {
            throw call.misused("'" + wanted.get() + "' (expected: a number of lines)");
        }
        int count = wanted.map(Integer::parseInt).orElse(lines.size());
        Table.Builder table = Table.of("number", "line");
        for (LineHistory.Line line : lines.subList(Math.max(0, lines.size() - count), lines.size())) {
            table.row(OutputValue.of(line.number()), OutputValue.of(line.text()));
        }
        call.answer(table.build("no line was typed"));
    }

    @Descriptor("""
            Clears the terminal.
            clear
            Example: clear""")
    public void clear(CommandSession session, String[] arguments) {
        CommandCall.of(session, "clear", arguments, 0);
        Process process = Process.Utils.current();
        if (process.isTty(1) && session.get(LineHistory.VARIABLE) != null) {
            process.out().print(CLEAR);
            process.out().flush();
        }
    }
}
