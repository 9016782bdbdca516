package example.containers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends the text of a file to executors, and again when it has changed. Owned by the application's loop. */
final class ContainerCredentials {
    private static final String KIND = "vault";

    private final DriverServices driver;
    private final String file;
    private final Duration interval;
    private String sent = "";

    ContainerCredentials(DriverServices driver, Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        this.driver = driver;
        this.file = in.read(ContainersSettings.CREDENTIALS);
        this.interval = in.read(ContainersSettings.INTERVAL);
        in.finish();
    }

    /** Reads the file for the first time, if the application has one, and fails if it cannot be read. */
    CompletionStage<Void> start() {
        return file.isEmpty() ? CompletableFuture.completedStage(null) : read();
    }

    private CompletionStage<Void> read() {
        return CompletableFuture.supplyAsync(this::text).thenAcceptAsync(this::send, driver.loop());
    }

    private String text() {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    ContainersSettings.CREDENTIALS.name() + ": " + failure + " (expected: a file that can be read)",
                    failure);
        }
    }

    private void send(String text) {
        if (!text.equals(sent)) {
            sent = text;
            driver.credentials(KIND, Bytes.owning(text.getBytes(UTF_8)));
        }
        driver.loop().schedule(interval, this::readAgain);
    }

    /** A file that cannot be read now may be there at the next time; until then the last text counts. */
    private void readAgain() {
        read().whenCompleteAsync(
                        (read, failure) -> {
                            if (failure != null) {
                                System.getLogger(KIND)
                                        .log(System.Logger.Level.WARNING, "{0}: {1}", file, Failures.describe(failure));
                                driver.loop().schedule(interval, this::readAgain);
                            }
                        },
                        driver.loop());
    }
}
