package dev.hearth.testkit.rpc;

import dev.hearth.spi.error.Failures;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.testkit.MessageTransform;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Nested;

/** Runs the contracts of message systems on the simulated one. */
class SimulatedContractsTest {
    @Nested
    class Env extends RpcEnvContract {
        @Override
        protected Environment begin() {
            return new SimulatedEnvironment();
        }
    }

    @Nested
    class Lifecycle extends RpcLifecycleContract {
        @Override
        protected Environment begin() {
            return new SimulatedEnvironment();
        }
    }

    @Nested
    class Scopes extends RpcScopeContract {
        @Override
        protected Environment begin() {
            return new SimulatedEnvironment();
        }
    }

    @Nested
    class Secrets extends RpcSecretContract {
        @Override
        protected Environment begin() {
            return new SimulatedEnvironment();
        }
    }

    @Nested
    class Bounds extends RpcBoundsContract {
        @Override
        protected Environment begin() {
            return new SimulatedEnvironment();
        }
    }

    @Nested
    class Refs extends RpcRefContract {
        @Override
        protected Environment begin() {
            return new SimulatedEnvironment();
        }
    }

    @Nested
    class BulkData extends StreamsContract {
        @Override
        protected Environment begin() {
            return new SimulatedEnvironment();
        }
    }

    /** One process per env; waiting runs events. */
    private static final class SimulatedEnvironment implements RpcContract.Environment {
        private final Simulation simulation = new Simulation(1, new WrittenOut());
        private int processes;

        @Override
        public RpcContract.Party open(RpcSettings settings) {
            SimulatedProcess process = simulation.process("process-" + processes++);
            return new RpcContract.Party(process.env(settings), process.loop("endpoints"));
        }

        @Override
        public <T> T await(CompletionStage<T> stage) throws Exception {
            CompletableFuture<T> future = stage.toCompletableFuture();
            simulation.runUntil(future::isDone, Duration.ofMinutes(1));
            if (!future.isDone()) {
                throw new AssertionError("stage: not complete (expected: within a minute)");
            }
            try {
                return future.get();
            } catch (ExecutionException failed) {
                if (Failures.unwrap(failed) instanceof Exception failure) {
                    throw failure;
                }
                throw failed;
            }
        }

        @Override
        public void close() {
            // a simulation holds no resources
        }
    }

    /** Uses the length of a message's text form as its size. */
    private static final class WrittenOut implements MessageTransform {
        @Override
        public Record copy(Protocol protocol, Record message) {
            return message;
        }

        @Override
        public int size(Protocol protocol, Record message) {
            return message.toString().length();
        }
    }
}
