package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.kernel.Inventory;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.kernel.Logs;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Commands that show facts about the process and set its log levels. Created for each call; stateless. */
@Component(
        service = KernelCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Process",
            CommandProcessor.COMMAND_FUNCTION + "=info",
            CommandProcessor.COMMAND_FUNCTION + "=log"
        })
public final class KernelCommands {
    /** Form of all times that people read: ISO 8601 with the zone. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);

    private static final long MEBIBYTE = 1024 * 1024;
    static final List<String> LEVELS = List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF");
    static final String INHERIT = "INHERIT";

    private final Clock clock;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable KernelInfo kernel;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable Inventory inventory;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable Logs logs;

    public KernelCommands() {
        this(Clock.system(ZoneId.systemDefault()));
    }

    KernelCommands(Clock clock) {
        this.clock = clock;
    }

    @Descriptor("""
            Shows role, version, age and memory of this process.
            info [--json]
            Example: info --json""")
    public void info(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "info", arguments, 0);
        KernelInfo info = call.need(kernel, KernelInfo.class);
        Runtime machine = Runtime.getRuntime();
        Duration age = Duration.between(info.startedAt(), clock.instant());
        FieldList.Builder facts = FieldList.begin()
                .fact("role", OutputValue.of(info.role()))
                .fact("version", OutputValue.of(info.version()))
                .fact("home", OutputValue.of(info.home().toString()))
                .fact("process", OutputValue.of(ProcessHandle.current().pid()))
                .fact("java", OutputValue.of(Runtime.version().toString()))
                .fact("started", OutputValue.of(TIME.format(info.startedAt().atZone(clock.getZone()))))
                .fact("startMillis", OutputValue.of(info.startTook().toMillis()))
                .fact("upSeconds", OutputValue.of(age.toSeconds()))
                .fact("heapUsedMiB", OutputValue.of((machine.totalMemory() - machine.freeMemory()) / MEBIBYTE))
                .fact("heapMaxMiB", OutputValue.of(machine.maxMemory() / MEBIBYTE));
        Inventory present = inventory;
        if (present != null) {
            List<Inventory.BundleEntry> bundles = present.bundles();
            long idle = bundles.stream()
                    .filter(bundle -> !bundle.problem().isEmpty())
                    .count();
            OutputValue troubled = OutputValue.of(idle);
            facts.fact("bundles", OutputValue.of(bundles.size()))
                    .fact("withProblems", idle == 0 ? troubled : troubled.bad());
        }
        call.answer(facts.build());
    }

    @Descriptor("""
            Shows or changes log levels.
            log [--json]            all levels that are set
            log LOGGER [--json]     the effective level of a logger
            log LOGGER LEVEL        sets TRACE, DEBUG, INFO, WARN, ERROR, OFF, or INHERIT
            LOGGER is a prefix of class names such as dev.hearth.rpc, or ROOT.
            Example: log dev.hearth.rpc DEBUG""")
    public void log(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "log", arguments, 2);
        Logs log = call.need(logs, Logs.class);
        Optional<String> logger = call.word(0);
        call.word(1).ifPresent(level -> log.setLevel(logger.orElseThrow(), level(call, level)));
        Table.Builder table = Table.of("logger", "level", "from");
        if (logger.isPresent()) {
            String source = holder(log.levels(), logger.get());
            String level = log.levels().getOrDefault(source, "");
            table.row(OutputValue.of(logger.get()), OutputValue.of(level), OutputValue.of(source));
        } else {
            log.levels()
                    .forEach((name, level) ->
                            table.row(OutputValue.of(name), OutputValue.of(level), OutputValue.of(name)));
        }
        call.answer(table.build("no level is set"));
    }

    private static String level(CommandCall call, String word) {
        String level = word.toUpperCase(Locale.ROOT);
        if (level.equals(INHERIT)) {
            return "";
        }
        if (!LEVELS.contains(level)) {
            throw call.misused("level '" + word + "' (expected: one of " + LEVELS + " or " + INHERIT + ")");
        }
        return level;
    }

    /**
     * Returns the logger that determines the level of {@code logger}: that logger itself, or its nearest ancestor with
     * a level.
     */
    static String holder(Map<String, String> levels, String logger) {
        String name = logger;
        while (!levels.containsKey(name)) {
            int dot = name.lastIndexOf('.');
            if (dot < 0) {
                return "ROOT";
            }
            name = name.substring(0, dot);
        }
        return name;
    }
}
