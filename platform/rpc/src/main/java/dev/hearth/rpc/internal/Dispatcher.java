package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.thread.DaemonThreads;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Dispatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Runs the actions of one endpoint, one at a time and in order. Any thread may call. */
interface Dispatcher extends AutoCloseable {
    void run(Runnable action);

    /** Called when no more actions will be submitted; those submitted earlier still run. */
    @Override
    void close();

    /**
     * Creates the dispatcher that {@code dispatch} selects. {@code uncaught} receives the exceptions that actions
     * throw, except on an event loop that reports them itself.
     */
    static Dispatcher of(String endpoint, Dispatch dispatch, Executor shared, Consumer<Throwable> uncaught) {
        return switch (dispatch.kind()) {
            case LOOP -> new OnLoop(dispatch.loop().orElseThrow());
            case OWN_THREAD -> OnOwnThread.named("hearth-endpoint-" + endpoint, uncaught);
            case SHARED -> SerialDispatcher.shared(shared, uncaught);
            case INLINE -> SerialDispatcher.inline(uncaught);
        };
    }

    /** Runs actions on an event loop of the caller. */
    record OnLoop(EventLoop loop) implements Dispatcher {
        @Override
        public void run(Runnable action) {
            loop.execute(action);
        }

        @Override
        public void close() {
            // nothing to close: the loop belongs to the caller that supplied it
        }
    }

    /**
     * Runs the actions of an endpoint on a thread of its own, which ends after the last action. Actions submitted later
     * run on the calling thread, where they refuse their messages.
     */
    record OnOwnThread(ExecutorService thread, SerialDispatcher actions) implements Dispatcher {
        static OnOwnThread named(String name, Consumer<Throwable> uncaught) {
            ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
                Thread created = DaemonThreads.ofThisBundle(new Thread(work, name));
                created.setDaemon(true);
                return created;
            });
            return new OnOwnThread(thread, SerialDispatcher.shared(thread, uncaught));
        }

        @Override
        public void run(Runnable action) {
            actions.run(action);
        }

        @Override
        public void close() {
            thread.shutdown();
        }
    }
}
