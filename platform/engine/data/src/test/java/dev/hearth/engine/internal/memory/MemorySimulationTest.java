package dev.hearth.engine.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Threads run attempts of two applications, with consumers that spill, stored data that is partly pinned, and kills.
 * Nothing exceeds the bound, no attempt waits for ever, and everything is released. The seed determines what each
 * thread does.
 */
@Timeout(60)
class MemorySimulationTest {
    private static final int THREADS = 8;
    private static final int ATTEMPTS_PER_THREAD = 60;
    private static final int STEPS_MAX = 60;
    private static final int CONSUMERS = 3;

    @ParameterizedTest(name = "seed {0}, total {1}")
    @CsvSource({"1, 1000", "2, 1000", "3, 4000000", "4, 4000000", "42, 300000000", "43, 300000000"})
    void endsAtZeroWithinItsBound(long seed, long total) throws Exception {
        ProcessMemory process = new ProcessMemory(0);
        List<MemoryBudget> budgets = new ArrayList<>();
        List<TestingEvictable> stores = new ArrayList<>();
        for (long bytes : new long[] {total, total * 2 / 3}) {
            MemoryBudget budget = process.open(new MemorySettings(0.6, 0.5, OptionalLong.of(bytes)));
            budgets.add(budget);
            stores.add(new TestingEvictable(budget));
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Void>> runs = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Random random = new Random(seed * THREADS + thread);
                MemoryBudget budget = budgets.get(thread % 2);
                TestingEvictable store = stores.get(thread % 2);
                runs.add(threads.submit((Callable<Void>) () -> {
                    for (int attempt = 0; attempt < ATTEMPTS_PER_THREAD; attempt++) {
                        new Run(process, budget, store, random).go();
                    }
                    return null;
                }));
            }
            for (Future<Void> run : runs) {
                run.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(0, process.waiting());
        for (int i = 0; i < budgets.size(); i++) {
            assertEquals(0, budgets.get(i).executionUsed());
            assertEquals(stores.get(i).stored(), budgets.get(i).storageUsed());
            budgets.get(i).close();
        }
        assertEquals(0, process.used());
    }

    /** One attempt on one thread. */
    private static final class Run {
        private final ProcessMemory process;
        private final MemoryBudget budget;
        private final TestingEvictable store;
        private final Random random;
        private final AtomicBoolean killed = new AtomicBoolean();
        private final int bytesMax;
        private long required;

        Run(ProcessMemory process, MemoryBudget budget, TestingEvictable store, Random random) {
            this.process = process;
            this.budget = budget;
            this.store = store;
            this.random = random;
            this.bytesMax = (int) Math.min(Integer.MAX_VALUE, budget.total() / 2);
        }

        void go() {
            TaskMemory memory = budget.open(random.nextInt(1_000), () -> {
                if (killed.get()) {
                    throw new CancellationException("killed");
                }
            });
            List<TestingSpillable> consumers = new ArrayList<>();
            for (int i = 0; i < CONSUMERS; i++) {
                TestingSpillable consumer = new TestingSpillable(memory);
                consumer.takesWhileSpilling = random.nextInt(4) == 0 ? random.nextInt(bytesMax) / 10 : 0;
                consumer.spillsAtMost = random.nextInt(8) == 0 ? 0 : Long.MAX_VALUE;
                consumers.add(consumer);
            }
            try {
                int steps = random.nextInt(STEPS_MAX);
                for (int step = 0; step < steps; step++) {
                    step(memory, consumers.get(random.nextInt(CONSUMERS)));
                    assertTrue(process.used() <= process.bound(), "over the bound");
                }
            } catch (CancellationException expected) {
                assertTrue(killed.get());
            }
            long held = required
                    + consumers.stream().mapToLong(consumer -> consumer.bytes).sum();
            assertTrue(memory.peak() >= held);
            assertEquals(held, memory.close(), "bytes still reserved");
        }

        private void step(TaskMemory memory, TestingSpillable consumer) {
            int bytes = random.nextInt(bytesMax);
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> {
                    long taken = consumer.take(bytes);
                    assertTrue(taken >= 0 && taken <= bytes);
                }
                case 4, 5 -> consumer.take(random.nextInt(100));
                case 6, 7 -> consumer.give((long) (consumer.bytes * random.nextDouble()));
                case 8 -> store.keep(bytes / 4);
                case 9 -> store.pin(random.nextBoolean() ? bytes / 2 : 0);
                case 10 -> {
                    if (random.nextInt(20) == 0) {
                        killed.set(true);
                        budget.wake();
                    }
                }
                default -> {
                    memory.give(required);
                    required = 0;
                    long wanted = random.nextInt(1 + bytesMax / 100);
                    try {
                        memory.require(wanted, "test");
                        required = wanted;
                    } catch (HearthException refused) {
                        assertEquals("MEMORY_EXHAUSTED", refused.code());
                    }
                }
            }
        }
    }
}
