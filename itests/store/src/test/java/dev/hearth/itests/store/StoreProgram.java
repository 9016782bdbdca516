package dev.hearth.itests.store;

import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.ContentStores;
import dev.hearth.testkit.ForwardingContentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * The process with the store: {@code DIRECTORY PAUSE} takes uploads into it. Says its port and what it holds, where each
 * upload goes on, every {@link #STEP_BYTES} that were written, and what was stored; after {@code PAUSE} bytes of one it waits
 * to be killed. The end of standard input ends it.
 */
final class StoreProgram {
    static final int STEP_BYTES = 1 << 20;
    static final long NO_PAUSE = -1;
    private static final long BYTES_MAX = 256L << 20;
    private static final String FACTORY = "dev.hearth.rpc.internal.NettyRpcEnvFactory";
    private static final String STORES = "dev.hearth.rpc.internal.bulk.DirectoryContentStores";

    private StoreProgram() {}

    public static void main(String[] arguments) throws Exception {
        long pause = Long.parseLong(arguments[1]);
        ContentStore store = make(STORES, ContentStores.class).open(Path.of(arguments[0]), BYTES_MAX);
        RpcEnv env = make(FACTORY, RpcEnvFactory.class).open(RpcSettings.listening(Settings.empty(), "127.0.0.1", 0));
        env.streams().accept(new Telling(store, pause));
        say("ready " + env.address().orElseThrow().port() + " " + store.bytesHeld());
        awaitEndOfInput();
        env.close();
        store.close();
        say("ended");
    }

    /** A service of the bulk lane's room, which exports nothing. */
    static <T> T make(String name, Class<T> type) throws ReflectiveOperationException {
        return Class.forName(name).asSubclass(type).getConstructor().newInstance();
    }

    private static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // nobody says anything
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** A store that says what happens to it. */
    private static final class Telling extends ForwardingContentStore {
        private final long pause;

        Telling(ContentStore store, long pause) {
            super(store);
            this.pause = pause;
        }

        @Override
        public Incoming receive(ContentId content, long size) throws IOException {
            Incoming incoming = super.receive(content, size);
            say("opened " + incoming.bytesHere());
            return new TellingIncoming(incoming, pause);
        }
    }

    private record TellingIncoming(ContentStore.Incoming incoming, long pause) implements ContentStore.Incoming {
        @Override
        public long bytesHere() {
            return incoming.bytesHere();
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            long before = incoming.bytesHere();
            incoming.write(bytes);
            long now = incoming.bytesHere();
            if (now / STEP_BYTES > before / STEP_BYTES) {
                say("written " + now);
            }
            if (pause != NO_PAUSE && now >= pause) {
                say("paused " + now);
                awaitTheEnd();
            }
        }

        @Override
        public void finish() throws IOException {
            incoming.finish();
            say("stored");
        }

        @Override
        public void close() {
            incoming.close();
        }

        private static void awaitTheEnd() {
            try {
                new CountDownLatch(1).await(); // nobody counts it down: the process is killed here
            } catch (InterruptedException wanted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
