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
 * Main program of the store's process: {@code DIRECTORY PAUSE} takes uploads into the directory. Prints its port and
 * content, the offset at which each upload resumes, a line per {@link #STEP_BYTES} written, and each stored upload.
 * After {@code PAUSE} bytes of an upload it waits to be killed. The end of standard input ends it.
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

    /** A service of the module for bulk transfers, which exports nothing. */
    static <T> T make(String name, Class<T> type) throws ReflectiveOperationException {
        return Class.forName(name).asSubclass(type).getConstructor().newInstance();
    }

    private static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // the parent writes nothing; wait for the end of input
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** A store that prints each change. */
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
                new CountDownLatch(1).await(); // never counted down: the test kills the process here
            } catch (InterruptedException wanted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
