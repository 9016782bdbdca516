package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.thread.DaemonThreads;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Dispatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Runs the actions of one endpoint (a named receiver of messages), one at a time and in order. Thread-safe. */
interface Dispatcher extends AutoCloseable {
    void run(Runnable action);

    /**
     * Ends the dispatcher's own thread, if it has one, after the actions submitted so far. Actions submitted later may
     * run on the thread that submits them.
     */
    @Override
    void close();

    /**
     * Creates the dispatcher of one endpoint. {@code dispatch} selects the threads: a given event loop, a thread of its
     * own, the pool {@code shared}, or the submitting threads. {@code uncaught} receives exceptions thrown by actions,
     * except on a given event loop, which reports them itself.
     */
    static Dispatcher of(String endpoint, Dispatch dispatch, Executor shared, Consumer<Throwable> uncaught) {
        return switch (dispatch.kind()) {
            case LOOP -> new OnLoop(dispatch.loop().orElseThrow());
            case OWN_THREAD -> OnOwnThread.named("hearth-endpoint-" + endpoint, uncaught);
            case SHARED -> SerialDispatcher.shared(shared, uncaught);
            case INLINE -> SerialDispatcher.inline(uncaught);
        };
    }

    /** Dispatcher that runs the actions of an endpoint on an event loop, which the creator of the endpoint supplies. */
    record OnLoop(EventLoop loop) implements Dispatcher {
        @Override
        public void run(Runnable action) {
            loop.execute(action);
        }

        @Override
        public void close() {
            // nothing to close: the event loop belongs to the caller that supplied it
        }
    }

    /**
     * Runs the actions of an endpoint on a thread of its own, which {@link #close} ends. An action submitted later runs
     * on the submitting thread, where the closed endpoint refuses the message.
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
