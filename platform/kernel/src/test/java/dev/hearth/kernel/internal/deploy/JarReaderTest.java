package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.ManualEventLoop;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Without threads, on virtual time: a read that the test does not run hangs. */
class JarReaderTest {
    private final ManualEventLoop loop = new ManualEventLoop();
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<String> delivered = new ArrayList<>();
    private final JarReader reader = new JarReader(
            loop,
            new CallRunner(loop, threads::add, JarReader.BOUND),
            results -> delivered.add(results.stream()
                    .map(read -> read.effect().file() + ": " + read.result().problem())
                    .toList()
                    .toString()));

    @Test
    void deliversWhatIsFoundTogetherInOneList() {
        read("a", () -> JarReadResult.noBundle("bad"));
        read("b", () -> JarReadResult.noBundle("bad too"));
        endNext();
        assertEquals(List.of(), delivered);
        endNext();
        assertEquals(List.of("[a: bad, b: bad too]"), delivered);
    }

    @Test
    void doesNotWaitForAReadThatHangsAndUsesItsResultWhenItComes() {
        read("hangs", () -> JarReadResult.noBundle("bad"));
        read("next", () -> JarReadResult.noBundle("bad too"));
        Runnable hanging = threads.remove();
        loop.pass(CallRunner.PATIENCE);
        endNext();
        assertEquals(List.of("[next: bad too]"), delivered);
        loop.pass(JarReader.BOUND);
        assertEquals(2, delivered.size());
        assertTrue(delivered.get(1).startsWith("[hangs: not read after 5 s (expected: "), delivered::toString);
        hanging.run();
        loop.turn();
        assertEquals("[hangs: bad]", delivered.get(2));
    }

    @Test
    void readsAFileOnceAtATime() {
        read("hangs", () -> JarReadResult.noBundle("bad"));
        loop.pass(CallRunner.PATIENCE);
        read("hangs", () -> JarReadResult.noBundle("bad"));
        loop.turn();
        assertEquals(1, threads.size());
        assertTrue(delivered.get(0).startsWith("[hangs: an earlier read of this file"), delivered::toString);
        endNext();
        read("hangs", () -> JarReadResult.noBundle("bad"));
        assertEquals(1, threads.size());
    }

    @Test
    void namesTheJarThatTakesAllMemory() {
        read("bomb", () -> {
            throw new OutOfMemoryError("Java heap space");
        });
        endNext();
        assertEquals(
                List.of("[bomb: needs more memory than this process has, Java heap space"
                        + " (expected: a jar that can be read in its heap)]"),
                delivered);
    }

    private void read(String file, Callable<JarReadResult> reading) {
        reader.read(new DeployEffect.Read(file, new FileStamp(1, 1, "inode")), Path.of("copy"), reading);
    }

    private void endNext() {
        threads.remove().run();
        loop.turn();
    }
}
