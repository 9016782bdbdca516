package dev.hearth.hazookeeper.internal;

import dev.hearth.hazookeeper.internal.ZnodeRefused.Why;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Model of an ensemble: a tree of nodes, sessions, and their faults. Requests of a session are carried out in order, when
 * {@link Delivery} says. Guarded by its lock.
 */
final class ModelEnsemble implements Ensemble {
    private final Delivery delivery;
    private final Map<String, ZnodeSession.Node> nodes = new TreeMap<>();
    private final List<ModelSession> sessions = new ArrayList<>();
    private boolean away;
    private boolean fenceless; // planted fault: checks are not made

    ModelEnsemble(Delivery delivery) {
        this.delivery = delivery;
        nodes.put("/", new ZnodeSession.Node(new byte[0], 0, 0));
    }

    /** Runs actions later, those of one session in order. */
    @FunctionalInterface
    interface Delivery {
        void later(long session, Runnable action);
    }

    @Override
    public String place() {
        return "model";
    }

    @Override
    public synchronized ZnodeSession open(ZnodeSession.Listener listener) {
        ModelSession session = new ModelSession(sessions.size() + 1, listener);
        sessions.add(session);
        if (!away) {
            session.connect();
        }
        return session;
    }

    synchronized void ignoreChecks() {
        fenceless = true;
    }

    /** Disconnects all sessions, until {@link #comeBack}. */
    synchronized void goAway() {
        away = true;
        sessions.forEach(ModelSession::disconnect);
    }

    synchronized void comeBack() {
        away = false;
        sessions.forEach(ModelSession::connect);
    }

    /** The sessions that have not ended, oldest first. */
    synchronized List<ModelSession> sessions() {
        return sessions.stream().filter(session -> !session.ended).toList();
    }

    synchronized List<String> paths() {
        return List.copyOf(nodes.keySet());
    }

    synchronized void put(String path, byte[] content) {
        nodes.put(path, new ZnodeSession.Node(content, 0, 0));
    }

    synchronized void remove(String path) {
        nodes.remove(path);
    }

    /** As {@link #remove}, with events for the sessions that watch the node. */
    synchronized void delete(String path) {
        nodes.remove(path);
        sessions.forEach(session -> session.changed(path));
    }

    /** Session of a process with the model. */
    final class ModelSession implements ZnodeSession {
        private final long id;
        private final Listener listener;
        private final List<String> watched = new ArrayList<>();
        private boolean connected;
        private boolean ended;

        private ModelSession(long id, Listener listener) {
            this.id = id;
            this.listener = listener;
        }

        @Override
        public long id() {
            return id;
        }

        void connect() {
            synchronized (ModelEnsemble.this) {
                if (!connected && !ended && !away) {
                    connected = true;
                    delivery.later(id, listener::connected);
                }
            }
        }

        /** Loses the connection. Requests that are under way fail, before or after they were carried out. */
        void disconnect() {
            synchronized (ModelEnsemble.this) {
                if (connected) {
                    connected = false;
                    delivery.later(id, listener::disconnected);
                }
            }
        }

        /** Ends the session as a server does after the session timeout. */
        void expire() {
            synchronized (ModelEnsemble.this) {
                if (!ended) {
                    forget();
                    delivery.later(id, listener::expired);
                }
            }
        }

        private void forget() {
            ended = true;
            connected = false;
            List.copyOf(nodes.keySet()).forEach(path -> {
                if (nodes.get(path).owner() == id) {
                    nodes.remove(path);
                    touched(path);
                }
            });
        }

        @Override
        public CompletionStage<Node> read(String path, boolean watches) {
            return request(() -> {
                Node node = node(path);
                if (watches) {
                    watched.add(path);
                }
                return node;
            });
        }

        @Override
        public CompletionStage<List<String>> children(String path) {
            return request(() -> {
                node(path);
                return nodes.keySet().stream()
                        .filter(each -> each.startsWith(path + "/") && each.indexOf('/', path.length() + 1) < 0)
                        .map(each -> each.substring(path.length() + 1))
                        .toList();
            });
        }

        @Override
        public CompletionStage<Void> change(List<ZnodeChange> changes) {
            return request(() -> {
                changes.forEach(this::check);
                changes.forEach(this::make);
                return null;
            });
        }

        private void check(ZnodeChange change) {
            if (change instanceof ZnodeChange.Create create) {
                node(parent(create.path()));
                require(!nodes.containsKey(create.path()), Why.EXISTS, create.path());
            } else {
                Node node = node(change.path());
                int version = change instanceof ZnodeChange.Check check
                        ? fenceless ? -1 : check.version()
                        : change instanceof ZnodeChange.Write write ? write.version() : -1;
                require(version < 0 || version == node.version(), Why.VERSION, change.path());
            }
        }

        private void make(ZnodeChange change) {
            if (change instanceof ZnodeChange.Create create) {
                nodes.put(create.path(), new Node(create.content(), 0, create.ephemeral() ? id : 0));
                touched(create.path());
            } else if (change instanceof ZnodeChange.Write write) {
                int version = nodes.get(write.path()).version();
                nodes.put(write.path(), new Node(write.content(), version + 1, 0));
                touched(write.path());
            } else if (change instanceof ZnodeChange.Delete) {
                nodes.remove(change.path());
                touched(change.path());
            }
        }

        private void touched(String path) {
            sessions.forEach(session -> session.changed(path));
        }

        private void changed(String path) {
            if (watched.removeIf(path::equals) && !ended) {
                delivery.later(id, () -> listener.changed(path));
            }
        }

        @Override
        public CompletionStage<Void> end() {
            CompletableFuture<Void> done = new CompletableFuture<>();
            delivery.later(id, () -> {
                synchronized (ModelEnsemble.this) {
                    if (!ended) { // if it is not connected, it times out soon
                        forget();
                    }
                }
                done.complete(null);
            });
            return done;
        }

        private <T> CompletionStage<T> request(Supplier<T> what) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            delivery.later(id, () -> {
                T value = null;
                ZnodeRefused refused = null;
                synchronized (ModelEnsemble.this) {
                    try {
                        require(!ended, Why.EXPIRED, "session");
                        require(connected, Why.DISCONNECTED, "session");
                        value = what.get();
                    } catch (ZnodeRefused failure) {
                        refused = failure;
                    }
                }
                T found = value;
                ZnodeRefused why = refused;
                delivery.later(id, () -> answer(answer, found, why));
            });
            return answer;
        }

        private <T> void answer(CompletableFuture<T> answer, T found, ZnodeRefused refused) {
            boolean arrives;
            synchronized (ModelEnsemble.this) {
                arrives = connected;
            }
            if (refused != null && (arrives || refused.why() == Why.EXPIRED || refused.why() == Why.DISCONNECTED)) {
                answer.completeExceptionally(refused);
            } else if (!arrives) {
                answer.completeExceptionally(new ZnodeRefused(ended ? Why.EXPIRED : Why.DISCONNECTED, "answer lost"));
            } else {
                answer.complete(found);
            }
        }

        @Override
        public String toString() {
            String owned = nodes.keySet().stream()
                    .filter(path -> nodes.get(path).owner() == id)
                    .toList()
                    .toString();
            return id + (connected ? " connected " : " disconnected ") + owned;
        }

        private Node node(String path) {
            Node node = nodes.get(path);
            require(node != null, Why.MISSING, path);
            return node;
        }

        private static void require(boolean holds, Why otherwise, String path) {
            if (!holds) {
                throw new ZnodeRefused(otherwise, path);
            }
        }

        private static String parent(String path) {
            int slash = path.lastIndexOf('/');
            return slash == 0 ? "/" : path.substring(0, slash);
        }
    }
}
