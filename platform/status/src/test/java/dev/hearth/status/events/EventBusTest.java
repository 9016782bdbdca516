package dev.hearth.status.events;

import static dev.hearth.status.store.Samples.ended;
import static dev.hearth.status.store.Samples.job;
import static dev.hearth.status.store.Samples.jobEnded;
import static dev.hearth.status.store.Samples.stage;
import static dev.hearth.status.store.Samples.started;
import static dev.hearth.status.store.Samples.task;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationEvent.JobStarted;
import dev.hearth.api.event.ApplicationEvent.TaskEnded;
import dev.hearth.api.event.ApplicationEvent.TaskStarted;
import dev.hearth.api.event.ApplicationEvent.TasksSummarised;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.api.event.StageInfo;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the bus with listeners that keep up, that block, and that throw; latches block them, not time. */
@Timeout(60)
class EventBusTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int CAPACITY = 100;

    private final EventBus bus = new EventBus(
            "test", new EventSettings(CAPACITY, Optional.of(Duration.ofMillis(1)), List.of()), Ticker.system());
    private final StageInfo stage = stage(0, 0, 1_000_000);

    @Test
    void deliversAllEventsToEveryListenerInOrder() throws Exception {
        Recorder one = new Recorder(true);
        Recorder other = new Recorder(true);
        bus.add("one", one);
        bus.add("other", other);
        for (int id = 0; id < CAPACITY; id++) {
            bus.publish(job(id, id));
        }
        assertTrue(bus.flush(LONG));
        assertEquals(CAPACITY, one.events.size());
        assertEquals(one.events, other.events);
        for (int id = 0; id < CAPACITY; id++) {
            assertEquals(id, ((JobStarted) one.events.get(id)).job());
        }
        bus.close(LONG);
        assertTrue(one.closed);
    }

    @Test
    void sumsUpTasksForAListenerThatBlocksAndLosesNothingElse() throws Exception {
        Blocked slow = new Blocked();
        bus.add("slow", slow);
        bus.publish(job(0, 0, stage));
        slow.entered.await();
        for (int index = 0; index < 10_000; index++) {
            TaskInfo task = task(index, stage, index, 1);
            bus.publish(started(task));
            bus.publish(ended(2, task, index % 10 == 0 ? TaskOutcome.FAILED : TaskOutcome.SUCCEEDED, ""));
            if (index % 100 == 0) {
                bus.publish(job(index, 1 + index / 100));
            }
        }
        bus.publish(jobEnded(3, 0, ""));
        slow.gate.countDown();
        bus.close(LONG);

        long startedTasks = count(slow, TaskStarted.class) + sum(slow, TasksSummarised::started);
        long endedTasks = count(slow, TaskEnded.class)
                + sum(slow, TasksSummarised::succeeded)
                + sum(slow, TasksSummarised::failed);
        assertEquals(10_000, startedTasks);
        assertEquals(10_000, endedTasks);
        assertEquals(1, count(slow, TasksSummarised.class), "one sum per stage attempt while no event is processed");
        assertEquals(101, count(slow, JobStarted.class));
        assertEquals(jobEnded(3, 0, ""), slow.events.get(slow.events.size() - 1));
        long nanos = slow.events.stream()
                .mapToLong(event -> event instanceof TaskEnded task
                        ? task.metrics().runNanos()
                        : event instanceof TasksSummarised sum ? sum.metrics().runNanos() : 0)
                .sum();
        assertEquals(10_000 * 1_000_000L, nanos);
    }

    @Test
    void abandonsAStuckListenerAndNoOther() throws Exception {
        Blocked stuck = new Blocked();
        Recorder other = new Recorder(false);
        bus.add("stuck", stuck);
        bus.add("other", other);
        bus.publish(job(0, 0));
        stuck.entered.await();
        for (int id = 1; id <= 10 * CAPACITY; id++) {
            bus.publish(job(id, id));
            if (id % CAPACITY == 0) { // wait for the other listener
                other.await(id + 1);
            }
        }
        assertEquals(10 * CAPACITY + 1, other.events.size());
        stuck.gate.countDown();
        bus.close(LONG);
        assertEquals(1, stuck.events.size());
    }

    @Test
    void continuesAfterAFailureOfAListener() throws Exception {
        Recorder events = new Recorder(false);
        bus.add("fails", event -> {
            events.on(event);
            throw new IllegalStateException("on purpose");
        });
        for (int id = 0; id < 50; id++) {
            bus.publish(job(id, id));
        }
        bus.close(LONG);
        assertEquals(50, events.events.size());
    }

    @Test
    void deliversOnlySumsToListenersThatWantNoSingleTasks() throws Exception {
        Recorder sums = new Recorder(false);
        bus.add("sums", sums);
        assertFalse(bus.wantsTasks());
        bus.countStarted(1, 0, 0, 500);
        for (int index = 0; index < 500; index++) {
            bus.countEnded(2, 0, 0, TaskOutcome.SUCCEEDED, TaskMetrics.NONE);
        }
        bus.publish(started(task(1, stage, 1, 1)));
        assertTrue(bus.flush(LONG));
        assertEquals(501, sum(sums, TasksSummarised::started));
        assertEquals(500, sum(sums, TasksSummarised::succeeded));
        bus.add("single", new Recorder(true));
        assertTrue(bus.wantsTasks());
        bus.close(LONG);
    }

    @Test
    void closesWithinItsBoundIfAListenerBlocks() throws Exception {
        Blocked stuck = new Blocked();
        bus.add("stuck", stuck);
        bus.publish(job(0, 0));
        stuck.entered.await();
        bus.publish(job(1, 1));
        assertFalse(bus.flush(Duration.ofMillis(1)));
        bus.close(Duration.ofMillis(1));
        stuck.interrupted.await(); // the listener thread ends
        bus.publish(job(2, 2));
        bus.closing().get();
        assertEquals(0, stuck.events.size());
    }

    @Test
    void createsListenersFromTheApplicationsClasses() {
        Settings settings = Settings.empty().with("test", "hearth.a", "b");
        List<ApplicationListener> listeners = ExtraListeners.load(
                List.of(Configured.class.getName(), Plain.class.getName()),
                getClass().getClassLoader(),
                settings.values());
        assertEquals("b", ((Configured) listeners.get(0)).settings.get("hearth.a"));
        assertEquals(Plain.class, listeners.get(1).getClass());
        assertEquals("CLASS_MISSING", refusal("no.such.Listener"));
        assertEquals("BAD_SETTING", refusal("java.lang.String"));
    }

    private static String refusal(String name) {
        ClassLoader classes = EventBusTest.class.getClassLoader();
        return assertThrows(HearthException.class, () -> ExtraListeners.load(List.of(name), classes, Map.of()))
                .code();
    }

    private static long count(Recorder recorder, Class<?> type) {
        return recorder.events.stream().filter(type::isInstance).count();
    }

    private static long sum(Recorder recorder, java.util.function.ToLongFunction<TasksSummarised> value) {
        return recorder.events.stream()
                .filter(TasksSummarised.class::isInstance)
                .map(TasksSummarised.class::cast)
                .mapToLong(value)
                .sum();
    }

    private static class Recorder implements ApplicationListener, AutoCloseable {
        final List<ApplicationEvent> events = new CopyOnWriteArrayList<>();
        private final boolean tasks;
        volatile boolean closed;

        Recorder(boolean tasks) {
            this.tasks = tasks;
        }

        @Override
        public void on(ApplicationEvent event) {
            synchronized (events) {
                events.add(event);
                events.notifyAll();
            }
        }

        void await(int count) throws InterruptedException {
            synchronized (events) {
                while (events.size() < count) {
                    events.wait();
                }
            }
        }

        @Override
        public boolean hearsTasks() {
            return tasks;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static final class Blocked extends Recorder {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch gate = new CountDownLatch(1);
        final CountDownLatch interrupted = new CountDownLatch(1);

        Blocked() {
            super(true);
        }

        @Override
        public void on(ApplicationEvent event) {
            entered.countDown();
            try {
                gate.await();
                super.on(event);
            } catch (InterruptedException calls) {
                interrupted.countDown();
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A listener with settings. */
    public static final class Configured implements ApplicationListener {
        private final Map<String, String> settings;

        public Configured(Map<String, String> settings) {
            this.settings = settings;
        }

        @Override
        public void on(ApplicationEvent event) {}
    }

    /** A listener without settings. */
    public static final class Plain implements ApplicationListener {
        @Override
        public void on(ApplicationEvent event) {}
    }
}
