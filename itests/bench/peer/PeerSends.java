package peer;

import bench.common.Meter;
import bench.common.Report;
import java.io.Serializable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.rpc.RpcAddress;
import org.apache.spark.rpc.RpcCallContext;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.rpc.ThreadSafeRpcEndpoint;
import scala.Function1;
import scala.PartialFunction;
import scala.concurrent.ExecutionContext;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * W7c of the peer: RpcEndpointRef.send from one thread until the receiver has counted all, windowed as our own program is.
 * {@code server port=N}, {@code client port=N calls=N reps=N}. Compiled by rpc.py against the peer's jars.
 */
final class PeerSends {
    private static final int WINDOW_LETTERS = 10_000;
    private static final int WINDOWS_MAX = 8;
    private static final int LETTERS_FACTOR = 50;
    private static final String BODY = "x".repeat(64);

    private PeerSends() {}

    public static void main(String[] words) throws Exception {
        int port = Integer.parseInt(value(words, "port", "17990"));
        if (words[0].equals("server")) {
            RpcEnv env = env("bench-server", port, false);
            env.setupEndpoint("counter", new Counter(env));
            System.out.println("READY");
            System.out.flush();
            env.awaitTermination();
            return;
        }
        int letters = Integer.parseInt(value(words, "calls", "20000")) * LETTERS_FACTOR;
        int repetitions = Integer.parseInt(value(words, "reps", "3"));
        RpcEnv env = env("bench-client", 0, true);
        RpcEndpointRef ref = env.setupEndpointRef(new RpcAddress("127.0.0.1", port), "counter");
        for (int i = 0; i <= repetitions; i++) {
            repeat(ref, i, letters);
        }
        env.shutdown();
        env.awaitTermination();
        System.exit(0); // threads of the peer's would hold the process
    }

    private static void repeat(RpcEndpointRef ref, int repetition, int letters) throws Exception {
        ClassTag<Long> tag = ClassTag$.MODULE$.apply(Long.class);
        ExecutionContext same = ExecutionContext.fromExecutor(Runnable::run);
        AtomicLong counted = new AtomicLong();
        Semaphore windows = new Semaphore(WINDOWS_MAX);
        Meter meter = Meter.start();
        for (int sent = 0; sent < letters; sent++) {
            if (sent % WINDOW_LETTERS == 0) {
                windows.acquire();
            }
            ref.send(new Letter(sent, BODY));
            if ((sent + 1) % WINDOW_LETTERS == 0 || sent + 1 == letters) {
                ref.ask(new Received(), tag).onComplete(
                        answer -> {
                            counted.addAndGet(answer.get());
                            windows.release();
                            return null;
                        },
                        same);
            }
        }
        windows.acquire(WINDOWS_MAX);
        if (counted.get() != letters) {
            throw new IllegalStateException("letters: " + counted + " received (expected: " + letters + ")");
        }
        Report.line("W7c", "send;body=" + BODY.length() + "|rpc", repetition, meter.stop(), letters, "msg/s", "");
    }

    private static RpcEnv env(String name, int port, boolean client) {
        SparkConf settings = new SparkConf();
        SecurityManager security = new SecurityManager(
                settings,
                SecurityManager.$lessinit$greater$default$2(),
                SecurityManager.$lessinit$greater$default$3());
        return RpcEnv.create(name, "127.0.0.1", port, settings, security, client);
    }

    private static String value(String[] words, String key, String otherwise) {
        for (String word : words) {
            if (word.startsWith(key + "=")) {
                return word.substring(key.length() + 1);
            }
        }
        return otherwise;
    }

    /** One message without an answer. */
    static final class Letter implements Serializable {
        private static final long serialVersionUID = 1;
        final long id;
        final String body;

        Letter(long id, String body) {
            this.id = id;
            this.body = body;
        }
    }

    /** Asks for the count, which begins at 0 again. */
    static final class Received implements Serializable {
        private static final long serialVersionUID = 1;
    }

    /** Counts letters; the peer calls it with one message at a time. */
    static final class Counter implements ThreadSafeRpcEndpoint {
        private final RpcEnv env;
        private long letters;

        Counter(RpcEnv env) {
            this.env = env;
        }

        @Override
        public RpcEnv rpcEnv() {
            return env;
        }

        @Override
        public PartialFunction<Object, BoxedUnit> receive() {
            return new Handler(Letter.class, () -> letters++);
        }

        @Override
        public PartialFunction<Object, BoxedUnit> receiveAndReply(RpcCallContext call) {
            return new Handler(Received.class, () -> {
                call.reply(letters);
                letters = 0;
            });
        }
    }

    private static final class Handler extends AbstractPartialFunction<Object, BoxedUnit> {
        private final Class<?> type;
        private final Runnable action;

        Handler(Class<?> type, Runnable action) {
            this.type = type;
            this.action = action;
        }

        @Override
        public boolean isDefinedAt(Object message) {
            return type.isInstance(message);
        }

        @Override
        public BoxedUnit apply(Object message) {
            action.run();
            return BoxedUnit.UNIT;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <A, B> B applyOrElse(A message, Function1<A, B> otherwise) {
            return isDefinedAt(message) ? (B) apply(message) : otherwise.apply(message);
        }
    }
}
