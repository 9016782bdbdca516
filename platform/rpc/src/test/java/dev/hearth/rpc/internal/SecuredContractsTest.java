package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.testkit.rpc.RpcBoundsContract;
import dev.hearth.testkit.rpc.RpcContract;
import dev.hearth.testkit.rpc.RpcEnvContract;
import dev.hearth.testkit.rpc.RpcLifecycleContract;
import dev.hearth.testkit.rpc.RpcRefContract;
import dev.hearth.testkit.rpc.StreamsContract;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Nested;

/** The contract tests of every RpcEnv, over encrypted and authenticated connections. */
class SecuredContractsTest {
    @Nested
    class Env extends RpcEnvContract {
        @Override
        protected Environment begin() {
            return new SecuredGround();
        }
    }

    @Nested
    class Lifecycle extends RpcLifecycleContract {
        @Override
        protected Environment begin() {
            return new SecuredGround();
        }
    }

    @Nested
    class Bounds extends RpcBoundsContract {
        @Override
        protected Environment begin() {
            return new SecuredGround();
        }
    }

    @Nested
    class Refs extends RpcRefContract {
        @Override
        protected Environment begin() {
            return new SecuredGround();
        }
    }

    @Nested
    class Streams extends StreamsContract {
        @Override
        protected Environment begin() {
            return new SecuredGround();
        }
    }

    private static final class SecuredGround implements RpcContract.Environment {
        private static final Secret SECRET = Secret.random();

        private final TestEnvs envs = new TestEnvs();

        @Override
        public RpcContract.Party open(RpcSettings settings) {
            RpcSettings secured =
                    new RpcSettings(settings.listen(), SecuredEnvs.with(SECRET), settings.limits(), settings.times());
            return new RpcContract.Party(envs.open(secured), envs.loop("contract"));
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
