package dev.hearth.shell.gogo.command;

import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.RunningApplications;
import dev.hearth.spi.monitor.StageView;
import dev.hearth.spi.monitor.TaskQuery;
import dev.hearth.spi.monitor.TaskView;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Command that lists the task attempts of a stage. A new object is created for each call; stateless. */
@Component(
        service = TaskCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Jobs",
            CommandProcessor.COMMAND_FUNCTION + "=tasks"
        })
public final class TaskCommands {
    private static final String FAILED = "--failed";
    private static final String RUNNING = "--running";
    private static final String SLOW = "--slow";
    private static final String COUNT = "-n";
    private static final int COUNT_DEFAULT = 100;
    private static final Pattern STAGE = Pattern.compile("(?:(.+)/)?(\\d{1,9})(?:\\.(\\d{1,9}))?");

    private final Clock clock = Clock.systemUTC();

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable RunningApplications applications;

    @Descriptor("""
            Lists task attempts of a stage: those with the lowest index first.
            tasks [APPLICATION/]STAGE[.ATTEMPT] [--running] [--failed] [--slow] [-n COUNT] [--watch [--times N]] [--json]
            --slow: the longest first; --failed: also those of lost executors; -n: at most COUNT attempts, by default 100
            Example: tasks 3 --slow -n 10""")
    public void tasks(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(
                session,
                "tasks",
                arguments,
                1,
                RUNNING,
                FAILED,
                SLOW,
                COUNT + "=",
                RepeatedAnswer.WATCH,
                RepeatedAnswer.TIMES + "=");
        new RepeatedAnswer(call, RepeatedAnswer::pause).give(() -> tasks(call));
    }

    private Table tasks(CommandCall call) {
        String wanted = call.need(0, "stage");
        Matcher parts = STAGE.matcher(wanted);
        if (!parts.matches()) {
            throw call.misused(
                    "stage '" + wanted + "' (expected: its number, such as 3, or 3.1 for its second attempt)");
        }
        RunningApplication application = parts.group(1) == null
                ? ApplicationLookup.only(call, ApplicationLookup.running(call, applications))
                : ApplicationLookup.named(call, applications, parts.group(1));
        StageView stage = stage(call, application, Integer.parseInt(parts.group(2)), parts.group(3));
        TaskQuery.Order order = call.has(SLOW) ? TaskQuery.Order.DECREASING_RUNTIME : TaskQuery.Order.ID;
        TaskQuery query = new TaskQuery(0, count(call), order, states(call));
        List<TaskView> tasks = application.status().tasks(stage.id(), stage.attempt(), query);
        return table(tasks)
                .build("no such task attempt of stage " + stage.id() + "." + stage.attempt()
                        + (stage.summarised() == 0 ? "" : "; " + stage.summarised() + " are known as a sum only"));
    }

    private static StageView stage(CommandCall call, RunningApplication application, int id, @Nullable String attempt) {
        List<StageView> known = application.status().stage(id);
        return known.stream()
                .filter(stage -> attempt == null || stage.attempt() == Integer.parseInt(attempt))
                .reduce((first, second) -> second)
                .orElseThrow(() -> call.misused("stage " + id + (attempt == null ? "" : "." + attempt)
                        + ": not known (expected: one of "
                        + (known.isEmpty()
                                ? application.status().stages().stream()
                                        .map(StageView::id)
                                        .distinct()
                                        .toList()
                                : known.stream()
                                        .map(stage -> stage.id() + "." + stage.attempt())
                                        .toList())
                        + ")"));
    }

    private static int count(CommandCall call) {
        String text = call.option(COUNT).orElse(String.valueOf(COUNT_DEFAULT));
        if (!text.matches("\\d{1,9}")) {
            throw call.misused(COUNT + " '" + text + "' (expected: a number of task attempts)");
        }
        return Integer.parseInt(text);
    }

    private static Set<TaskQuery.State> states(CommandCall call) {
        Set<TaskQuery.State> states = EnumSet.noneOf(TaskQuery.State.class);
        if (call.has(FAILED)) {
            states.add(TaskQuery.State.FAILED);
        }
        if (call.has(RUNNING)) {
            states.add(TaskQuery.State.RUNNING);
        }
        return states;
    }

    private Table.Builder table(List<TaskView> tasks) {
        Table.Builder table = Table.of(
                "index",
                "attempt",
                "task",
                "state",
                "executor",
                "host",
                "locality",
                "took",
                "gc",
                "input",
                "output",
                "read",
                "written",
                "spilled",
                "failure");
        for (TaskView task : tasks) {
            TaskInfo info = task.info();
            TaskMetrics metrics = task.metrics();
            OutputValue state = task.outcome()
                    .map((TaskOutcome outcome) -> JobCells.state(outcome))
                    .orElse(OutputValue.of("running"));
            table.row(
                    OutputValue.of(info.partition()),
                    OutputValue.of(info.attempt())
                            .shownAs(info.attempt() + (info.speculative() ? " speculative" : ""))
                            .field("attempt", OutputValue.of(info.attempt()))
                            .field("speculative", OutputValue.of(info.speculative())),
                    OutputValue.of(info.task()),
                    state,
                    OutputValue.of(info.executor()),
                    OutputValue.of(info.host()),
                    JobCells.state(info.locality()),
                    JobCells.took(OptionalLong.of(info.launchedMillis()), task.endedMillis(), clock.millis()),
                    JobCells.nanos("collectionMillis", metrics.collectionNanos()),
                    JobCells.bytes("inputBytes", metrics.inputBytes()),
                    JobCells.bytes("outputBytes", metrics.outputBytes()),
                    JobCells.bytes("shuffleReadBytes", metrics.shuffleReadBytes()),
                    JobCells.bytes("shuffleWriteBytes", metrics.shuffleWriteBytes()),
                    JobCells.bytes("diskSpilledBytes", metrics.diskSpilledBytes()),
                    JobCells.text(task.failure()));
        }
        return table;
    }
}
