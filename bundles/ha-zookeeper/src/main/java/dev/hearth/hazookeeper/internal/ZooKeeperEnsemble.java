package dev.hearth.hazookeeper.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/** Servers of ZooKeeper, by its own client. Immutable. */
final class ZooKeeperEnsemble implements Ensemble {
    private static final String USER = "hearth";

    private final ZooKeeperSettings settings;

    ZooKeeperEnsemble(ZooKeeperSettings settings) {
        this.settings = settings;
    }

    @Override
    public String place() {
        return settings.servers();
    }

    @Override
    public ZnodeSession open(ZnodeSession.Listener listener) throws IOException {
        return new Session(settings, listener);
    }

    /** Configuration by our settings alone. ZooKeeper's own would load Netty's classes to read settings of TLS. */
    private static final class PlainConfig extends ZKClientConfig {
        PlainConfig() {
            setProperty(ENABLE_CLIENT_SASL_KEY, "false");
        }

        @Override
        protected void handleBackwardCompatibility() {
            // takes nothing from the system properties of the process
        }
    }

    /** Session of ZooKeeper's client, whose threads pass results on. */
    private static final class Session implements ZnodeSession, Watcher {
        private final ZnodeSession.Listener listener;
        private final List<ACL> access;
        private final ZooKeeper client;

        Session(ZooKeeperSettings settings, ZnodeSession.Listener listener) throws IOException {
            this.listener = listener;
            this.access = settings.password().isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
            this.client = new ZooKeeper(
                    settings.servers(), Math.toIntExact(settings.session().toMillis()), this, new PlainConfig());
            settings.password()
                    .ifPresent(password ->
                            client.addAuthInfo("digest", (USER + ":" + password).getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void process(WatchedEvent event) {
            if (event.getType() != Event.EventType.None) {
                listener.changed(event.getPath());
                return;
            }
            switch (event.getState()) {
                case SyncConnected -> listener.connected();
                case Disconnected -> listener.disconnected();
                case Expired -> listener.expired();
                case AuthFailed -> listener.forbidden();
                default -> { // of our own end, or of kinds of connections that we do not ask for
                }
            }
        }

        @Override
        public long id() {
            return client.getSessionId();
        }

        @Override
        public CompletionStage<Node> read(String path, boolean watched) {
            CompletableFuture<Node> read = new CompletableFuture<>();
            AsyncCallback.DataCallback callback = (code, asked, context, content, stat) -> complete(
                    read,
                    code,
                    path,
                    code == 0
                            ? new Node(
                                    content == null ? new byte[0] : content,
                                    stat.getVersion(),
                                    stat.getEphemeralOwner())
                            : null);
            client.getData(path, watched, callback, null);
            return read;
        }

        @Override
        public CompletionStage<List<String>> children(String path) {
            CompletableFuture<List<String>> read = new CompletableFuture<>();
            AsyncCallback.ChildrenCallback callback =
                    (code, asked, context, names) -> complete(read, code, path, names);
            client.getChildren(path, false, callback, null);
            return read;
        }

        @Override
        public CompletionStage<Void> change(List<ZnodeChange> changes) {
            CompletableFuture<Void> made = new CompletableFuture<>();
            List<Op> transaction = changes.stream().map(this::operation).toList();
            String path = changes.get(changes.size() - 1).path();
            client.multi(
                    transaction,
                    (code, asked, context, results) -> complete(made, first(code, results), path, null),
                    null);
            return made;
        }

        /** The failure of a transaction: that of the operation for which it was refused. */
        private static int first(int code, @Nullable List<OpResult> results) {
            for (OpResult result : results == null ? List.<OpResult>of() : results) {
                if (result instanceof OpResult.ErrorResult refused
                        && refused.getErr() != 0
                        && refused.getErr() != KeeperException.Code.RUNTIMEINCONSISTENCY.intValue()) {
                    return refused.getErr();
                }
            }
            return code;
        }

        private Op operation(ZnodeChange change) {
            if (change instanceof ZnodeChange.Create create) {
                return Op.create(
                        create.path(),
                        create.content(),
                        access,
                        create.ephemeral() ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT);
            }
            if (change instanceof ZnodeChange.Write write) {
                return Op.setData(write.path(), write.content(), write.version());
            }
            if (change instanceof ZnodeChange.Check check) {
                return Op.check(check.path(), check.version());
            }
            return Op.delete(change.path(), -1);
        }

        private static <T> void complete(CompletableFuture<T> stage, int code, String path, @Nullable T value) {
            if (code == 0) {
                stage.complete(value);
                return;
            }
            KeeperException.Code known = KeeperException.Code.get(code);
            ZnodeRefused.Why why = switch (known == null ? KeeperException.Code.SYSTEMERROR : known) {
                case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT, SESSIONMOVED -> ZnodeRefused.Why.DISCONNECTED;
                case SESSIONEXPIRED -> ZnodeRefused.Why.EXPIRED;
                case NONODE -> ZnodeRefused.Why.MISSING;
                case NODEEXISTS -> ZnodeRefused.Why.EXISTS;
                case BADVERSION -> ZnodeRefused.Why.VERSION;
                case NOAUTH, AUTHFAILED, INVALIDACL -> ZnodeRefused.Why.FORBIDDEN;
                default -> ZnodeRefused.Why.OTHER;
            };
            stage.completeExceptionally(new ZnodeRefused(why, path + ": " + (known == null ? code : known)));
        }

        @Override
        public CompletionStage<Void> end() {
            CompletableFuture<Void> ended = new CompletableFuture<>();
            Thread closing = new Thread(
                    () -> {
                        try {
                            client.close();
                        } catch (InterruptedException stopped) {
                            Thread.currentThread().interrupt();
                        } finally {
                            ended.complete(null);
                        }
                    },
                    "zookeeper-end");
            closing.setDaemon(true);
            closing.start();
            return ended;
        }
    }
}
