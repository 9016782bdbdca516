package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Executors that an application has while it raises and lowers its total, with the numbers of Spark's suite for dynamic
 * allocation: two workers with 10 cores each. A kill lowers the total by what it ends.
 */
class AllocationVectorsTest extends MasterFixture {
    private ApplicationId id = new ApplicationId("none");
    private int total;

    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource({
        "default, 0, 0, 'all 10 10, kill -, +1 10, +1 10 10, +1 10 10, kill 10, kill -, +1000 10 10'",
        "max below, 8, 0, 'all 4 4, kill -, +1 8, +1 8, +1 8, kill 4 4, kill -, +1000 4 4'",
        "max above, 16, 0, 'all 8 8, kill -, +1 10, +1 10 6, +1 10 6, kill 10, kill -, +1000 8 8'",
        "sized, 0, 2, 'all x10, kill -, +1 x1, +3 x4, +10 x10, -2 x10, -4 x8, kill -, +1000 x10'",
        "sized max, 8, 2, 'all x4, kill -, +1 x1, +3 x4, +10 x4, kill x4, kill x4, kill x2, kill -, +1000 x4'"
    })
    void followsTheTotalAsInSpark(String name, int coresMax, int executorCores, String steps) {
        begin(coresMax, executorCores);
        for (String step : steps.split(", ", -1)) {
            String[] words = step.split(" ", 2);
            switch (words[0].charAt(0)) {
                case 'a' -> want(Integer.MAX_VALUE);
                case '+' -> want((total == Integer.MAX_VALUE ? 0 : total) + Integer.parseInt(words[0].substring(1)));
                case '-' -> kill(Integer.parseInt(words[0].substring(1)));
                default -> kill(running().size());
            }
            assertEquals(expected(words[1], executorCores), cores(), name + ": " + step);
        }
    }

    private static List<Integer> expected(String text, int executorCores) {
        if (text.equals("-")) {
            return List.of();
        }
        return text.startsWith("x")
                ? Stream.generate(() -> executorCores)
                        .limit(Integer.parseInt(text.substring(1)))
                        .toList()
                : Stream.of(text.split(" ", -1)).map(Integer::valueOf).toList();
    }

    @Test
    void stopsAnExecutorOnceThatIsReleasedTwice() {
        begin(0, 0);
        want(2);
        want(1);
        ExecutorId first = running().get(0).id();
        release(List.of(first));
        release(List.of(first));
        assertEquals(1, messages(StopExecutor.class).size());
        master.executorEnded(ended(id, first.value(), 143), peer(running().get(0)), now);
        settle();
        assertEquals(1, running().size());
    }

    @Test
    void keepsThePlaceOfAReplacementThatIsPending() {
        begin(0, 0);
        want(2);
        List<ExecutorEntry> first = running();
        release(List.of(first.get(0).id())); // to be replaced, as the total stays
        release(List.of(first.get(0).id())); // again, while it ends
        end(first.get(0));
        assertEquals(2, running().size());
        want(1);
        release(List.of(first.get(1).id()));
        end(first.get(1));
        assertEquals(1, running().size());
    }

    @Test
    void startsWithTheTotalThatIsWantedFirst() {
        begin(0, 0);
        want(0);
        assertEquals(List.of(), running(), "an initial total of 0");
        want(1);
        assertEquals(1, running().size());
    }

    private void begin(int coresMax, int executorCores) {
        register("worker-a", 1, 10);
        register("worker-b", 2, 10);
        id = application(optional(coresMax), optional(executorCores));
    }

    private static OptionalInt optional(int number) {
        return number == 0 ? OptionalInt.empty() : OptionalInt.of(number);
    }

    private void want(int executors) {
        total = executors;
        master.want(new WantExecutors(id, executors, List.of(), Map.of()), APPLICATION);
        settle();
    }

    /** Ends executors, by which the total falls, as Spark's driver does. */
    private void kill(int executors) {
        List<ExecutorEntry> ending = running().subList(0, executors);
        int known = total == Integer.MAX_VALUE ? executors : total;
        total = Math.max(0, known - executors);
        master.want(new WantExecutors(id, total, List.of(), Map.of()), APPLICATION);
        release(ending.stream().map(ExecutorEntry::id).toList());
        ending.forEach(executor -> master.executorEnded(ended(id, executor.id().value(), 143), peer(executor), now));
        settle();
    }

    private void release(List<ExecutorId> executors) {
        master.release(new ReleaseExecutors(id, executors, "killed"), APPLICATION);
        settle();
    }

    private void end(ExecutorEntry executor) {
        master.executorEnded(ended(id, executor.id().value(), 143), peer(executor), now);
        settle();
    }

    private static long peer(ExecutorEntry executor) {
        return executor.worker().equals("worker-a") ? 1 : 2;
    }

    private List<ExecutorEntry> running() {
        return master.executorEntries(Optional.of(id)).stream()
                .filter(executor -> !executor.state().isFinal())
                .toList();
    }

    private List<Integer> cores() {
        return running().stream()
                .map(executor -> executor.cores().orElse(0))
                .sorted(Comparator.reverseOrder())
                .toList();
    }
}
