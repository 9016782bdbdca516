package dev.hearth.yarn.internal.logs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.yarn.internal.cluster.ContainerLogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Logs of one application, at nodes and collected, as a test says. */
final class ScriptedLogs implements ContainerLogs {
    Optional<LoggedApplication> application =
            Optional.of(new LoggedApplication("ann", 1, false, "NOT_START", "http://manager/proxy/a/"));
    /** Texts by container and log, such as {@code c2/stdout}. */
    final Map<String, String> texts = new LinkedHashMap<>();

    final List<Place> places = new ArrayList<>();
    final List<String> asked = new ArrayList<>();
    boolean ended;
    Runnable beforeAnswer = () -> {};

    @Override
    public Optional<LoggedApplication> application(String id) {
        return application;
    }

    @Override
    public List<Place> living(String id, int attempt) {
        asked.add("living " + attempt);
        return List.copyOf(places);
    }

    @Override
    public Optional<Place> master(String id, int attempt) {
        asked.add("master " + attempt);
        return places.stream().findFirst();
    }

    @Override
    public Optional<NodePart> onNode(Place place, String log, long tail, long from, int max) {
        beforeAnswer.run();
        String text = texts.get(place.container() + "/" + log);
        if (text == null || !places.contains(place)) {
            return Optional.empty();
        }
        byte[] all = text.getBytes(UTF_8);
        long begin = Math.max(0, all.length - tail);
        int wanted = (int) Math.min(Math.max(begin, from), all.length);
        byte[] bytes = Arrays.copyOfRange(all, wanted, (int) Math.min(all.length, (long) wanted + max));
        return Optional.of(new NodePart(all.length, wanted, bytes, ended));
    }

    @Override
    public Map<String, Set<String>> collected(String id, String user) {
        asked.add("collected for " + user);
        Map<String, Set<String>> collected = new LinkedHashMap<>();
        texts.keySet()
                .forEach(name -> collected
                        .computeIfAbsent(name.substring(0, name.indexOf('/')), added -> new LinkedHashSet<>())
                        .add(name.substring(name.indexOf('/') + 1)));
        return collected;
    }

    @Override
    public void copy(String id, String user, String container, String log, Path target) throws IOException {
        asked.add("copy " + container + "/" + log);
        Files.writeString(target, texts.getOrDefault(container + "/" + log, ""));
    }

    @Override
    public String user() {
        return "me";
    }
}
