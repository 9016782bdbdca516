package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.Answer;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.shell.gogo.answer.Value;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;

/** What the threads of the process do. Comes to life with a call and goes with it; holds nothing. */
@Component(
        service = ThreadCommands.class,
        property = {CommandProcessor.COMMAND_SCOPE + "=" + Call.SCOPE, CommandProcessor.COMMAND_FUNCTION + "=threads"})
public final class ThreadCommands {
    private static final String DUMP = "--dump";

    /** Its name is the command's. */
    @Descriptor("""
            The threads of this process, and what they are doing.
            threads [--dump] [--json]   --dump: with all that each has on its stack""")
    public void threads(CommandSession session, String[] arguments) {
        Call call = Call.of(session, "threads", arguments, 0, DUMP);
        SortedMap<Thread, StackTraceElement[]> threads = new TreeMap<>(Comparator.comparingLong(Thread::getId));
        threads.putAll(Thread.getAllStackTraces());
        if (call.has(DUMP)) {
            call.answer(Answer.words("dump", dump(threads)));
            return;
        }
        Table.Builder table = Table.of("id", "name", "state", "daemon", "at");
        threads.forEach((thread, frames) -> table.row(
                Value.of(thread.getId()),
                Value.of(thread.getName()),
                Value.of(thread.getState().name()),
                Value.of(thread.isDaemon()),
                Value.of(frames.length == 0 ? "" : place(frames[0]))));
        call.answer(table.build("no threads"));
    }

    private static String dump(Map<Thread, StackTraceElement[]> threads) {
        StringBuilder text = new StringBuilder();
        threads.forEach((thread, frames) -> {
            text.append(thread.getId())
                    .append(' ')
                    .append(thread.getName())
                    .append(' ')
                    .append(thread.getState())
                    .append('\n');
            for (StackTraceElement frame : frames) {
                text.append("    at ").append(frame).append('\n');
            }
        });
        return text.toString();
    }

    private static String place(StackTraceElement frame) {
        String type = frame.getClassName();
        return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
    }
}
