package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.testkit.rpc.RpcBoundsContract;
import dev.hearth.testkit.rpc.RpcContract;
import dev.hearth.testkit.rpc.RpcEnvContract;
import dev.hearth.testkit.rpc.RpcLifecycleContract;
import dev.hearth.testkit.rpc.RpcRefContract;
import dev.hearth.testkit.rpc.RpcScopeContract;
import dev.hearth.testkit.rpc.RpcSecretContract;
import dev.hearth.testkit.rpc.StreamsContract;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Nested;

/** The contract tests of every RpcEnv, over real connections. */
class NettyContractsTest {
    @Nested
    class Env extends RpcEnvContract {
        @Override
        protected Environment begin() {
            return new RealGround();
        }
    }

    @Nested
    class Lifecycle extends RpcLifecycleContract {
        @Override
        protected Environment begin() {
            return new RealGround();
        }
    }

    @Nested
    class Scopes extends RpcScopeContract {
        @Override
        protected Environment begin() {
            return new RealGround();
        }
    }

    @Nested
    class Bounds extends RpcBoundsContract {
        @Override
        protected Environment begin() {
            return new RealGround();
        }
    }

    @Nested
    class Refs extends RpcRefContract {
        @Override
        protected Environment begin() {
            return new RealGround();
        }
    }

    @Nested
    class Secrets extends RpcSecretContract {
        @Override
        protected Environment begin() {
            return new RealGround();
        }
    }

    @Nested
    class Streams extends StreamsContract {
        @Override
        protected Environment begin() {
            return new RealGround();
        }
    }

    private static final class RealGround implements RpcContract.Environment {
        private final TestEnvs envs = new TestEnvs();

        @Override
        public RpcContract.Party open(RpcSettings settings) {
            return new RpcContract.Party(envs.open(settings), envs.loop("contract"));
        }

        @Override
        public <T> T await(CompletionStage<T> stage) throws Exception {
            return RpcContract.bounded(stage);
        }

        @Override
        public void close() {
            envs.close();
        }
    }
}
