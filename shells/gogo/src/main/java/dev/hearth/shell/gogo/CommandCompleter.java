package dev.hearth.shell.gogo;

import dev.hearth.shell.gogo.command.CompletionCommand;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/**
 * Completes the word at the cursor in the line editor. The process that runs the commands, local or remote, supplies
 * the candidates.
 */
final class CommandCompleter implements Completer {
    private final CommandExecutor lines;

    CommandCompleter(CommandExecutor lines) {
        this.lines = lines;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        String typed = line.line().substring(0, line.cursor());
        lines.ask(CompletionCommand.question(typed))
                .lines()
                .forEach(candidate -> candidates.add(new Candidate(
                        candidate,
                        candidate,
                        null,
                        null,
                        null,
                        null,
                        !candidate.endsWith("/") && !candidate.endsWith(":"))));
    }
}
