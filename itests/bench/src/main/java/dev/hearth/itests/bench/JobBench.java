package dev.hearth.itests.bench;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Rdd;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures the cost of a task and a job by themselves: many empty tasks in one stage, then many jobs of two tasks one after the other.
 * With {@code events=tasks} a listener receives an event at each start and end of a task, as Spark's own listeners always do.
 * With {@code capture=list} every task runs a lambda that holds a list and changes it, and must see it as it was captured.
 */
public final class JobBench {
    private static final int BIG_TASKS_MIN = 50_001;
    private static final int CAPTURED = 3;
    private static final String STAGE = Meter.contents("Integer", "parallelize+one job with one element per task");
    private static final String JOB = Meter.contents("Integer", "parallelize+count of two elements");

    private final HearthContext context;
    private final BenchArguments arguments;
    private final String variant;
    private final boolean capturing;

    private JobBench(HearthContext context, BenchArguments arguments) {
        this.context = context;
        this.arguments = arguments;
        this.variant = arguments.text("variant", "local[2]");
        this.capturing = arguments.text("capture", "none").equals("list");
    }

    /** Arguments: {@code client}, then {@code key=value}: tasks, jobs, reps, bigreps, capture, events, variant. */
    public static void main(String[] words) {
        BenchArguments arguments = BenchArguments.of(words);
        try (HearthContext context = arguments.open("jobs")) {
            if (arguments.text("events", "none").equals("tasks")) {
                context.addListener(new TaskEvents());
            }
            JobBench bench = new JobBench(context, arguments);
            for (String tasks : bench.arguments.text("tasks", "10000,100000").split(",", -1)) {
                bench.stages(Integer.parseInt(tasks));
            }
            bench.jobs(Integer.parseInt(bench.arguments.text("jobs", "200")));
        }
    }

    private void stages(int tasks) {
        List<Integer> elements = IntStream.range(0, tasks).boxed().collect(Collectors.toList());
        int repetitions = arguments.repetitions();
        if (tasks >= BIG_TASKS_MIN) {
            repetitions = Math.min(repetitions, Integer.parseInt(arguments.text("bigreps", "2")));
        }
        for (int i = 0; i <= repetitions; i++) {
            Meter meter = new Meter();
            touch(context.parallelize(elements, tasks));
            meter.report("W3a", "empty;tasks=" + tasks + "|" + variant, i, tasks, "task/s", STAGE);
        }
    }

    private void jobs(int jobs) {
        List<Integer> elements = List.of(1, 2);
        for (int i = 0; i <= arguments.repetitions(); i++) {
            Latencies latencies = new Latencies(jobs);
            Meter meter = new Meter();
            for (int job = 0; job < jobs; job++) {
                long startedNanos = System.nanoTime();
                expect(elements.size(), dataset(elements, elements.size()).count());
                latencies.record(System.nanoTime() - startedNanos);
            }
            meter.report(
                    "W3b",
                    "jobs=" + jobs + ";tasks/job=2|" + variant,
                    i,
                    jobs,
                    "job/s",
                    latencies.summary() + ";" + JOB);
        }
    }

    private void touch(Rdd<Integer> all) {
        if (!capturing) {
            all.foreach(element -> {});
            return;
        }
        List<Integer> held = captured();
        all.foreach(element -> {
            held.add(element);
            expect(CAPTURED + 1, held.size());
        });
    }

    /** One element a partition; where a list is captured, only the tasks that saw it untouched count theirs. */
    private Rdd<Integer> dataset(List<Integer> elements, int partitions) {
        Rdd<Integer> all = context.parallelize(elements, partitions);
        if (!capturing) {
            return all;
        }
        List<Integer> held = captured();
        return all.map(element -> {
                    held.add(element);
                    return held.size();
                })
                .filter(size -> size == CAPTURED + 1);
    }

    /** Listener that asks for the events of single tasks and counts them. Owned by the listener's thread. */
    private static final class TaskEvents implements ApplicationListener {
        private long ended;
        private long summaries;

        @Override
        public void on(ApplicationEvent event) {
            if (event instanceof ApplicationEvent.TaskEnded) {
                ended++;
            } else if (event instanceof ApplicationEvent.TasksSummarised) {
                summaries++;
            } else if (event instanceof ApplicationEvent.ApplicationEnded) {
                System.err.println("task events: " + ended + ", summaries: " + summaries);
            }
        }

        @Override
        public boolean hearsTasks() {
            return true;
        }
    }

    private static List<Integer> captured() {
        List<Integer> held = new ArrayList<>();
        for (int i = 0; i < CAPTURED; i++) {
            held.add(i);
        }
        return held;
    }

    private static void expect(long expected, long counted) {
        if (counted != expected) {
            throw new IllegalStateException("count: " + counted + " (expected: " + expected + ")");
        }
    }
}
