package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/**
 * Counts with the settings {@code args[0]}, {@code args[1]} and so on, each as key=value. Then sends a request to its
 * own HTTP port, if it has one.
 */
public final class SetsItsOwn {
    private static final String PORT = "hearth.ui.port=";

    private SetsItsOwn() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        HearthContext.Builder builder = HearthContext.builder().name("sets its own");
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            builder = builder.setting(pair[0], pair[1]);
        }
        try (HearthContext context = builder.open()) {
            System.out.println(
                    "count " + context.parallelize(List.of(1, 2, 3), 3).count());
            for (String arg : args) {
                if (arg.startsWith(PORT)) {
                    URI applications =
                            URI.create("http://127.0.0.1:" + arg.substring(PORT.length()) + "/api/v1/applications");
                    System.out.println("answer "
                            + HttpClient.newHttpClient()
                                    .send(
                                            HttpRequest.newBuilder(applications).build(),
                                            HttpResponse.BodyHandlers.ofString())
                                    .statusCode());
                }
            }
        }
    }
}
