package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.kernel.Logs.LogEvent;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Process;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Commands that show the recent log of the process and set its levels. The process keeps its recent events from the
 * moment at which this component is there.
 */
@Component(
        immediate = true,
        service = LogCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=log",
            CommandCall.TOPIC + "=Log",
            CommandProcessor.COMMAND_FUNCTION + "=tail",
            CommandProcessor.COMMAND_FUNCTION + "=display",
            CommandProcessor.COMMAND_FUNCTION + "=set"
        })
public final class LogCommands {
    private static final int LINES_DEFAULT = 20;
    /** Time after which a command that follows the log looks whether its reader is still there. */
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);

    private static final String ROOT = "ROOT";

    private volatile @Nullable Logs logs;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindLogs(Logs log) {
        log.keepRecent();
        logs = log;
    }

    void unbindLogs(Logs log) {
        if (logs == log) {
            logs = null;
        }
    }

    @Descriptor("""
            Shows the end of this process's log, and follows it.
            log:tail [-n NUMBER] [-f] [LOGGER] [--level LEVEL] [--json]   NUMBER: 20
              -f  waits for new events, until Ctrl-C    LOGGER: a prefix, such as dev.hearth.rpc
              --level  only events of this level and above
            The process keeps its last 2000 events, since the shell's bundle started in it.
            Example: log:tail -f --level WARN""")
    public void tail(CommandSession session, String[] arguments) throws InterruptedException {
        LogEventChoice query = LogEventChoice.parse("log:tail", arguments, true);
        show(session, query, query.count().orElse(LINES_DEFAULT));
    }

    @Descriptor("""
            Shows the events of this process's log that are kept.
            log:display [-n NUMBER] [LOGGER] [--level LEVEL] [--json]   NUMBER: all
            Example: log:display --level ERROR | less""")
    public void display(CommandSession session, String[] arguments) throws InterruptedException {
        LogEventChoice query = LogEventChoice.parse("log:display", arguments, false);
        show(session, query, query.count().orElse(Integer.MAX_VALUE));
    }

    @Descriptor("""
            Sets the level of a logger until the process ends.
            log:set LEVEL [LOGGER]   LOGGER: a prefix of class names, or ROOT, the default
            LEVEL: TRACE, DEBUG, INFO, WARN, ERROR, OFF, or INHERIT. For good: hearth.log.level in conf/.
            Example: log:set DEBUG dev.hearth.rpc""")
    public void set(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "log:set", arguments, 2);
        Logs log = call.need(logs, Logs.class);
        String level = call.need(0, "level, one of " + KernelCommands.LEVELS + " or INHERIT")
                .toUpperCase(Locale.ROOT);
        String logger = call.word(1).orElse(ROOT);
        if (!KernelCommands.LEVELS.contains(level) && !level.equals(KernelCommands.INHERIT)) {
            throw call.misused("level '" + level + "' (expected: one of " + KernelCommands.LEVELS + " or INHERIT)");
        }
        log.setLevel(logger, level.equals(KernelCommands.INHERIT) ? "" : level);
        String source = KernelCommands.holder(log.levels(), logger);
        call.answer(Table.of("logger", "level", "from")
                .row(
                        OutputValue.of(logger),
                        OutputValue.of(log.levels().getOrDefault(source, "")),
                        OutputValue.of(source))
                .build(""));
    }

    private void show(CommandSession session, LogEventChoice query, int count) throws InterruptedException {
        Logs log = CommandCall.of(session, "log:tail", new String[0], 0).need(logs, Logs.class);
        Process process = Process.Utils.current();
        PrintStream out = process.out();
        boolean colours = CommandCall.hasColours(session, process);
        List<LogEvent> all = log.recent(0);
        List<LogEvent> chosen = all.stream().filter(query::matches).toList();
        chosen.subList(Math.max(0, chosen.size() - count), chosen.size())
                .forEach(event -> out.print(query.format(event, colours)));
        out.flush();
        long last = all.isEmpty() ? 0 : all.get(all.size() - 1).number();
        while (query.follows() && !out.checkError()) { // false: the reader needs no more
            for (LogEvent event : log.awaitRecent(last, LOOK_INTERVAL)) {
                last = event.number();
                if (query.matches(event)) {
                    out.print(query.format(event, colours));
                }
            }
        }
    }
}
