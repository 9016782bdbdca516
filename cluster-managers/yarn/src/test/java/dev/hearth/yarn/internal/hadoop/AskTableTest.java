package dev.hearth.yarn.internal.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerPlace;
import dev.hearth.yarn.internal.line.GrantedContainer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Fulfils and cancels requests whose grants the ResourceManager does not explain. */
class AskTableTest {
    private static final ContainerCapability SMALL = new ContainerCapability(1000, 1, Map.of());
    private static final ContainerCapability LARGE = new ContainerCapability(3000, 2, Map.of());

    private final AskTable table = new AskTable();

    private ContainerAsk ask(long key, int priority, ContainerCapability size, String... hosts) {
        ContainerAsk ask = new ContainerAsk(key, priority, priority, size, List.of(hosts), ContainerPlace.ANY);
        assertTrue(table.add(ask));
        return ask;
    }

    private static GrantedContainer grant(int priority, ContainerCapability size, String host) {
        return new GrantedContainer("c", host, host + ":1", host + ":2", "", size, priority, 0);
    }

    private Optional<Long> fulfil(int priority, ContainerCapability size, String host) {
        return table.fulfil(grant(priority, size, host)).map(ContainerAsk::key);
    }

    @Test
    void prefersTheRequestThatNamesTheHostThenOneThatNamesNone() {
        ask(1, 1, SMALL, "a", "b");
        ask(2, 1, SMALL);
        ask(3, 1, SMALL, "b");
        assertEquals(Optional.of(3L), fulfilAfter(1, "b"));
        assertEquals(Optional.of(2L), fulfil(1, SMALL, "z"));
        assertEquals(0, table.size());
        assertEquals(Optional.empty(), fulfil(1, SMALL, "z"));
    }

    private Optional<Long> fulfilAfter(long first, String host) {
        assertEquals(Optional.of(first), fulfil(1, SMALL, host));
        return fulfil(1, SMALL, host);
    }

    @Test
    void fulfilsTheLargestRequestOfThePriorityThatFits() {
        ask(1, 1, SMALL);
        ask(2, 1, LARGE);
        ask(3, 2, SMALL);
        assertEquals(Optional.of(2L), fulfil(1, new ContainerCapability(4096, 2, Map.of()), "a"));
        assertEquals(Optional.of(1L), fulfil(1, new ContainerCapability(4096, 2, Map.of()), "a"));
        assertEquals(Optional.empty(), fulfil(1, SMALL, "a"));
        assertEquals(1, table.size());
    }

    @Test
    void cancelsAnotherRequestOfTheKindIfAGrantCrossedTheCancellation() {
        ask(1, 1, SMALL);
        ask(2, 1, SMALL);
        assertEquals(Optional.of(1L), fulfil(1, SMALL, "a"));
        // its owner took the grant for number 2, and cancels number 1
        assertEquals(Optional.of(2L), table.cancel(1).map(ContainerAsk::key));
        assertEquals(Optional.empty(), table.cancel(1), "a cancellation counts once");
        assertEquals(Optional.empty(), table.cancel(2), "that was cancelled in place of number 1");
        assertEquals(Optional.empty(), table.cancel(99));
    }

    @Test
    void cancelsAThirdRequestInsteadOfOneThatWasCancelledForAnother() {
        ask(1, 1, SMALL);
        ask(2, 1, SMALL);
        ask(3, 1, SMALL);
        assertEquals(Optional.of(1L), fulfil(1, SMALL, "a"));
        // its owner took the grant for number 3, and cancels the others
        assertEquals(Optional.of(2L), table.cancel(1).map(ContainerAsk::key));
        assertEquals(Optional.of(3L), table.cancel(2).map(ContainerAsk::key));
        assertEquals(0, table.size());
    }

    @Test
    void fulfilsARequestForMoreCoresThanASchedulerGrantsThatCountsMemory() {
        ask(1, 1, LARGE);
        assertEquals(Optional.of(1L), fulfil(1, new ContainerCapability(3072, 1, Map.of()), "a"));
    }

    @Test
    void refusesAKeyThatIsInUse() {
        ask(1, 1, SMALL);
        assertFalse(table.add(new ContainerAsk(1, 1, 1, SMALL, List.of(), ContainerPlace.ANY)));
    }

    @Test
    void keepsTheNumberOfRequestsThatItsOwnerHas() {
        SplittableRandom random = new SplittableRandom(7);
        int open = 0;
        long keys = 0;
        for (int step = 0; step < 10_000; step++) {
            if (random.nextInt(3) > 0) {
                ask(++keys, 1, SMALL, "host-" + random.nextInt(5));
                open++;
            } else if (open > 0) {
                assertTrue(fulfil(1, SMALL, "host-" + random.nextInt(9)).isPresent());
                open--;
            }
            assertEquals(open, table.size());
        }
    }

    @Test
    void takesConstantTimePerGrant() {
        for (long key = 1; key <= 10_000; key++) {
            ask(key, 1, SMALL, "h" + key % 1000, "h" + (key + 1) % 1000, "h" + (key + 2) % 1000);
        }
        long before = System.nanoTime();
        for (int i = 0; i < 10_000; i++) {
            assertTrue(fulfil(1, SMALL, "h" + i % 1000).isPresent());
        }
        Duration took = Duration.ofNanos(System.nanoTime() - before);
        assertTrue(took.compareTo(Duration.ofSeconds(5)) < 0, took.toString());
    }
}
