package dev.hearth.shell.gogo.command;

import dev.hearth.api.HearthException;
import dev.hearth.shell.gogo.command.ProcessLookup.Found;
import dev.hearth.shell.gogo.command.ProcessLookup.Listed;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.RunningApplications;
import dev.hearth.spi.process.OutputName;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Command that prints the output of drivers and executors of a cluster. Created for each call; stateless. */
@Component(
        service = ProcessLogCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Cluster",
            CommandProcessor.COMMAND_FUNCTION + "=logs"
        })
public final class ProcessLogCommands {
    private static final String MASTER = "--master";
    private static final String FOLLOW = "-f";
    private static final String FOLLOW_LONG = "--follow";
    private static final String LINES = "-n";
    private static final String LINES_LONG = "--lines";
    private static final String OUTPUT = "--stdout";
    private static final String ERRORS = "--stderr";
    private static final String BYTES = "--bytes";
    private static final String ATTEMPT = "--attempt";
    private static final String EXECUTOR = "--executor";
    private static final String DRIVER = "--driver";
    private static final int LINES_MOST = 1_000_000;
    private static final int ATTEMPTS_MOST = 1_000_000;

    private final ClusterAccess clusters;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable RunningApplications applications;

    @Activate
    public ProcessLogCommands(@Reference ClusterAccess clusters) {
        this.clusters = clusters;
    }

    @Descriptor("""
            Prints the output of a driver or an executor of a cluster, running or ended.
            logs APPLICATION|DRIVER [EXECUTOR|--driver] [--attempt N] [-f] [-n LINES|--bytes N] [--stdout|--stderr]
              [--master URL] [--json]
            -f: until the process has ended; -n: the last LINES lines; --attempt: of attempt N, where a cluster counts them
            (default: the last). Ids may be cut, as long as one begins so.
            Example: logs app-20261119064500-0000 2 -f""")
    public void logs(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(
                session,
                "logs",
                arguments,
                2,
                FOLLOW,
                FOLLOW_LONG,
                LINES + "=",
                LINES_LONG + "=",
                BYTES + "=",
                ATTEMPT + "=",
                EXECUTOR + "=",
                DRIVER,
                OUTPUT,
                ERRORS,
                MASTER + "=");
        print(call);
    }

    private void print(CommandCall call) throws InterruptedException {
        String process = call.need(0, "id of an application or driver");
        Optional<Integer> lines =
                call.option(LINES).or(() -> call.option(LINES_LONG)).map(text -> lines(call, text));
        Optional<Integer> bytes = call.option(BYTES).map(text -> number(call, "bytes", text, 0, Integer.MAX_VALUE));
        if (lines.isPresent() && bytes.isPresent()) {
            throw call.misused("bytes and lines (expected: one of them)");
        }
        OptionalInt attempt = call.option(ATTEMPT)
                .map(text -> OptionalInt.of(number(call, "attempt", text, 1, ATTEMPTS_MOST)))
                .orElseGet(OptionalInt::empty);
        boolean follow = call.has(FOLLOW) || call.has(FOLLOW_LONG);
        try (ClusterAccess.OpenView view = clusters.open(call, call.option(MASTER), "logs of " + process)) {
            LogSource source = source(call, view, process);
            LogSink sink = new LogSink(call, outputs(call));
            try {
                LogPrinter printer = new LogPrinter(view, source, attempt, sink, follow);
                if (bytes.isPresent()) {
                    printer.printBytes(bytes.get());
                } else {
                    printer.print(lines);
                }
            } catch (HearthException failure) {
                throw Failures.code(failure) == ErrorCode.LOG_UNKNOWN ? withLinks(view, source, failure) : failure;
            } finally {
                sink.close();
            }
        }
    }

    /** Adds the addresses of the logs, if the cluster lists any, to a failure to read them. */
    private HearthException withLinks(ClusterAccess.OpenView view, LogSource source, HearthException failure)
            throws InterruptedException {
        Stream<Map<String, String>> own = ApplicationLookup.present(applications).stream()
                .filter(application -> source.application().equals(Optional.of(new ApplicationId(application.id()))))
                .flatMap(application -> application.status().executors().stream())
                .filter(executor -> executor.id().equals(source.process()))
                .map(ExecutorView::logs);
        Stream<Map<String, String>> listed = source.application().isEmpty()
                ? Stream.empty()
                : view.ask((ClusterView seen) -> seen.executors(source.application())).entries().stream()
                        .filter(entry -> entry.id().value().equals(source.process()))
                        .map(ExecutorEntry::logs);
        Optional<Map<String, String>> links =
                Stream.concat(listed, own).filter(logs -> !logs.isEmpty()).findFirst();
        return links.map(found -> ErrorCode.LOG_UNKNOWN.failure(failure.getMessage() + "; see " + found, failure))
                .orElse(failure);
    }

    private static int lines(CommandCall call, String text) {
        return number(call, "lines", text, 0, LINES_MOST);
    }

    private static int number(CommandCall call, String what, String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            throw call.misused(what + " '" + text + "' (expected: a number)");
        }
        throw call.misused(what + " " + text + " (expected: " + least + " to " + most + ")");
    }

    /** The executor that the second word or an option names; empty for the driver. */
    private static Optional<String> executor(CommandCall call) {
        Optional<String> executor = call.option(EXECUTOR);
        if ((executor.isPresent() && call.word(1).isPresent())
                || (call.has(DRIVER) && (executor.isPresent() || call.word(1).isPresent()))) {
            throw call.misused("several processes (expected: one executor, or " + DRIVER + ")");
        }
        return executor.or(() -> call.word(1));
    }

    private static Set<OutputName> outputs(CommandCall call) {
        Set<OutputName> outputs = EnumSet.noneOf(OutputName.class);
        if (call.has(OUTPUT)) {
            outputs.add(OutputName.STDOUT);
        }
        if (call.has(ERRORS)) {
            outputs.add(OutputName.STDERR);
        }
        return outputs.isEmpty() ? EnumSet.allOf(OutputName.class) : outputs;
    }

    /**
     * Returns the process that the arguments name. An id that the cluster does not list may be one that it has
     * forgotten: its files may still be there.
     */
    private static LogSource source(CommandCall call, ClusterAccess.OpenView view, String process)
            throws InterruptedException {
        Listed listed = ProcessLookup.list(view);
        Optional<Found> found = ProcessLookup.find(call, listed, process);
        try {
            Optional<String> named = executor(call);
            if (named.isPresent()) {
                String executor = named.get();
                ApplicationId application = found.map(known -> applicationOf(call, listed, known))
                        .orElseGet(() -> new ApplicationId(process));
                return LogSource.ofExecutor(application, new ExecutorId(executor));
            }
            if (found.isEmpty()) {
                return LogSource.ofDriver(new SubmissionId(process));
            }
        } catch (IllegalArgumentException malformed) {
            throw call.misused(String.valueOf(malformed.getMessage()));
        }
        Found known = found.get();
        if (known.driver().isPresent()) {
            return LogSource.ofDriver(known.driver().get().id());
        }
        ApplicationEntry application = known.application().orElseThrow();
        if (application.submission().isEmpty()) {
            throw call.misused("application " + application.id() + ": its driver" + at(application)
                    + " was started by its user, who has its output (expected: an executor of it: "
                    + executors(view, application.id()) + ")");
        }
        return LogSource.ofDriver(application.submission().get());
    }

    /** Returns the application that is named, or the one of the driver that is named. */
    private static ApplicationId applicationOf(CommandCall call, Listed listed, Found found) {
        return found.application()
                .or(() -> listed.applications().stream()
                        .filter(entry ->
                                entry.submission().equals(found.driver().map(driver -> driver.id())))
                        .reduce((first, second) -> second))
                .map(ApplicationEntry::id)
                .orElseThrow(() -> call.misused("driver " + found.id()
                        + ": has no application (expected: one, for the output of an executor)"));
    }

    private static String at(ApplicationEntry application) {
        return application.driver().isEmpty() ? "" : " at " + application.driver();
    }

    private static String executors(ClusterAccess.OpenView view, ApplicationId application)
            throws InterruptedException {
        List<ExecutorEntry> executors = view.ask((ClusterView seen) -> seen.executors(Optional.of(application)))
                .entries();
        return executors.isEmpty()
                ? "none is known"
                : executors.stream().map(entry -> entry.id().value()).toList().toString();
    }
}
