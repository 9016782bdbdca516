package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Supplier;

/**
 * Opens a context and, when the gate at port {@code args[0]} lets it pass, a second one on the same master. Uses and
 * closes both, and waits at the gate before and after a garbage collection.
 */
public final class TwoContexts {
    private static final long PAUSE_MILLIS_MAX = 200;

    private TwoContexts() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        usesTwo(port);
        GatedSum.pass(port, "closed-both", 2);
        // an ending thread may still hold references
        Thread collecting = new Thread(TwoContexts::collect, "collecting");
        collecting.setDaemon(true);
        collecting.start();
        GatedSum.pass(port, "collected", 3);
    }

    private static void collect() {
        ReferenceQueue<Object> collected = new ReferenceQueue<>();
        while (true) {
            Reference<Object> garbage = new WeakReference<>(new Object(), collected);
            System.gc();
            try {
                collected.remove(PAUSE_MILLIS_MAX);
            } catch (InterruptedException end) {
                return;
            }
            garbage.clear();
        }
    }

    private static void usesTwo(int port) throws IOException {
        Supplier<HearthContext> open =
                () -> HearthContext.builder().name("two contexts").open();
        try (HearthContext first = open.get()) {
            report("first", first);
            GatedSum.pass(port, "opened-one", 0);
            try (HearthContext second = open.get()) {
                report("second", second);
                report("first again", first);
                GatedSum.pass(port, "opened-two", 1);
            }
        }
    }

    private static void report(String name, HearthContext context) {
        long count = context.parallelize(List.of(1, 2, 3), 2)
                .map(number -> number + 1)
                .count();
        System.out.println(name + " " + context.applicationId().replaceAll("-\\d{4,}.*", "") + " counts " + count);
    }
}
