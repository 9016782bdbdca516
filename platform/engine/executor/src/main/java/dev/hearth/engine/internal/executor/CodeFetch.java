package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.attachments.ContentDownloader;
import dev.hearth.engine.internal.disk.ApplicationDirectory;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeFile;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeQuestion;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.stream.ContentDirectories;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the code of an application before the executor registers. First it starts the application's bundles, a set
 * that the driver has fixed. Then it locates each jar: it uses the driver's file if this process can see it, else the
 * file of the same content in a directory of contents on this machine, else a copy fetched from the driver. Used once, on the executor's event loop.
 */
final class CodeFetch {
    private static final Logger LOG = LoggerFactory.getLogger(CodeFetch.class);

    /**
     * Timeout of the question which jars and bundles the application has. It is long, because the driver may have to
     * hash the jars before it answers.
     */
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(2);

    private final EndpointRef driver;
    private final ExecutorId self;
    private final ContentDownloader contents;
    private final ContentDirectories here;
    private final ApplicationDirectory directory;
    private final ApplicationLoaders loaders;
    private final Executor work;

    /**
     * {@code self} is this executor, {@code here} are directories of contents on this machine, and {@code work} runs the steps that may wait for disks or for bundle activators.
     */
    CodeFetch(
            EndpointRef driver,
            ExecutorId self,
            ContentDownloader contents,
            ContentDirectories here,
            ApplicationDirectory directory,
            ApplicationLoaders loaders,
            Executor work) {
        this.driver = driver;
        this.self = self;
        this.contents = contents;
        this.here = here;
        this.directory = directory;
        this.loaders = loaders;
        this.work = work;
    }

    /** Asks the driver for the jars and bundles of which the application's code consists. */
    CompletionStage<CodeAnswer> ask() {
        return ask(false);
    }

    private CompletionStage<CodeAnswer> ask(boolean hashes) {
        return driver.ask(new CodeQuestion(self, hashes), CodeAnswer.class, ANSWER_TIMEOUT);
    }

    /**
     * Starts the bundles that {@code answer} lists, and then locates each of the application's jars. A jar is the
     * driver's file if this process sees it, otherwise a fetched copy. The result has the paths of the jars in
     * class-path order.
     */
    CompletionStage<List<Path>> bring(CodeAnswer answer) {
        List<FrozenBundle> bundles = answer.bundles();
        return bundles.isEmpty()
                ? jars(answer)
                : CompletableFuture.runAsync(() -> loaders.start(bundles, this::fetch), work)
                        .thenCompose(started -> jars(answer));
    }

    private void fetch(FrozenBundle bundle, Path target) throws IOException {
        Optional<Path> found = here.find(bundle.content());
        if (found.isPresent()) {
            Files.copy(found.get(), target, StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        String subject = "bundle " + bundle;
        String stream = BlockProtocol.BUNDLES + "/" + bundle.content();
        ContentDownloader.await(contents.fetch(stream, bundle.content(), subject, target, true), subject);
    }

    private CompletionStage<List<Path>> jars(CodeAnswer answer) {
        List<Path> own = new ArrayList<>();
        for (CodeFile jar : answer.jars()) {
            inPlace(jar).ifPresent(own::add);
        }
        return own.size() == answer.jars().size()
                ? CompletableFuture.completedStage(own)
                : ask(true).thenCompose(hashed -> fetch(hashed.jars()));
    }

    private CompletionStage<List<Path>> fetch(List<CodeFile> jars) {
        CompletionStage<List<Path>> all = CompletableFuture.completedStage(new ArrayList<>());
        for (int place = 0; place < jars.size(); place++) {
            CodeFile jar = jars.get(place);
            int number = place;
            all = all.thenCompose(before -> bring(jar, number).thenApply(path -> {
                before.add(path);
                return before;
            }));
        }
        return all;
    }

    private CompletionStage<Path> bring(CodeFile jar, int place) {
        Optional<Path> own = inPlace(jar);
        return own.isPresent()
                ? CompletableFuture.completedStage(own.get())
                : CompletableFuture.supplyAsync(() -> here.find(new ContentId(jar.content())), work)
                        .thenCompose(found -> found.isPresent()
                                ? CompletableFuture.completedStage(found.get())
                                : download(jar, place));
    }

    private CompletionStage<Path> download(CodeFile jar, int place) {
        String name = jar.file().substring(jar.file().lastIndexOf('/') + 1).replaceAll("[^\\w.-]", "_");
        Path target = directory.directory("code").resolve(place + "-" + name);
        return contents.fetch(
                BlockProtocol.CODE + "/" + place, new ContentId(jar.content()), "jar " + jar.file(), target, false);
    }

    /**
     * Returns the path of the driver's jar if this process sees the same file there, that is, one with the same size
     * and modification time; empty otherwise.
     */
    private static Optional<Path> inPlace(CodeFile jar) {
        try {
            Path file = Path.of(jar.file());
            return StreamProvider.file(file)
                            .open("")
                            .map(StreamContent::tag)
                            .filter(jar.tag()::equals)
                            .isPresent()
                    ? Optional.of(file)
                    : Optional.empty();
        } catch (IOException | InvalidPathException elsewhere) {
            LOG.debug("jar {}: is not seen from here", jar.file(), elsewhere);
            return Optional.empty();
        }
    }
}
