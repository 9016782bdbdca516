package dev.hearth.kubernetes.internal.seat;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** API server that records requests and lets all of them succeed at once. */
public class RecordingApiServer implements ApiServer {
    public final List<String> requests = new ArrayList<>();
    boolean closed;

    private void request(String text, Consumer<Answer> answer) {
        requests.add(text);
        answer.accept(new Answer.Done(Optional.empty()));
    }

    @Override
    public String namespace() {
        return "spark";
    }

    @Override
    public void create(ApiObject object, Consumer<Answer> answer) {
        request("create " + object.resource() + " " + object.name(), answer);
    }

    @Override
    public void delete(
            Resource resource, String name, Optional<String> uid, OptionalInt graceSeconds, Consumer<Answer> answer) {
        request("delete " + resource + " " + name, answer);
    }

    @Override
    public void deleteUnchanged(Resource resource, ObjectFacts seen, Consumer<Answer> answer) {
        request("delete " + resource + " " + seen.name(), answer);
    }

    @Override
    public void deleteAll(Resource resource, String selector, OptionalInt graceSeconds, Consumer<Answer> answer) {
        request("delete all " + resource + " " + selector, answer);
    }

    @Override
    public void patch(Resource resource, String name, String patch, Consumer<Answer> answer) {
        request("patch " + resource + " " + name + " " + patch, answer);
    }

    @Override
    public void read(Resource resource, String name, Consumer<Answer> answer) {
        request("read " + resource + " " + name, answer);
    }

    @Override
    public void list(Resource resource, String selector, String next, Consumer<Answer> answer) {
        request("list " + resource + " " + selector, answer);
    }

    @Override
    public Watch watch(Resource resource, String selector, String version, WatchListener listener) {
        requests.add("watch " + resource + " " + selector);
        return () -> {};
    }

    @Override
    public void logTail(String pod, String container, int bytesMax, Consumer<Answer> answer) {
        request("log " + pod, answer);
    }

    @Override
    public void version(Consumer<Answer> answer) {
        requests.add("version");
        answer.accept(new Answer.Text("1.30"));
    }

    @Override
    public ForwardedPort forward(String pod, int port) throws IOException {
        throw new IOException("port " + port + " of pod " + pod + ": refused");
    }

    @Override
    public void close() {
        closed = true;
    }
}
