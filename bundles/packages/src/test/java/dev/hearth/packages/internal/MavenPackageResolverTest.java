package dev.hearth.packages.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.packages.internal.DiskRepository.Needs;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Resolution of packages from repositories on disk. */
@Timeout(60)
class MavenPackageResolverTest {
    private static final String PACKAGES = "hearth.jars.packages";
    private static final String EXCLUDES = "hearth.jars.excludes";
    private static final String OFFLINE = "hearth.jars.offline";

    @TempDir
    private Path base;

    private DiskRepository remote;
    private Path home;
    private Clock clock = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
    private final RecordingListener said = new RecordingListener();

    @BeforeEach
    void make() {
        remote = new DiskRepository(base.resolve("remote"));
        home = base.resolve("home");
    }

    @Test
    void findsWhatAPackageNeedsNearestFirst() throws Exception {
        remote.add("a.b:one:1.0", Needs.on("a.b:two:2.0"), Needs.on("a.b:three:3.0"))
                .add("a.b:two:2.0", Needs.on("a.b:four:4.0"))
                .add("a.b:three:3.0")
                .add("a.b:four:4.0")
                .add("a.b:five:5.0");
        assertEquals(
                List.of("one-1.0.jar", "five-5.0.jar", "two-2.0.jar", "three-3.0.jar", "four-4.0.jar"),
                resolve(PACKAGES, "a.b:one:1.0,a.b/five/5.0"));
    }

    @Test
    void leavesOutTestsOptionalAndProvidedDependencies() throws Exception {
        remote.add(
                "a:one:1",
                new Needs("a:two:1", "<scope>test</scope>"),
                new Needs("a:three:1", "<scope>provided</scope>"),
                new Needs("a:four:1", "<optional>true</optional>"),
                new Needs("a:five:1", "<scope>runtime</scope>"));
        remote.add("a:five:1");
        assertEquals(List.of("one-1.jar", "five-1.jar"), resolve(PACKAGES, "a:one:1"));
    }

    @Test
    void leavesOutWhatIsExcluded() throws Exception {
        remote.add("a:one:1", Needs.on("a:two:1"), Needs.on("b.c:three:1"))
                .add("a:two:1", Needs.on("a:four:1"))
                .add("b.c:three:1")
                .add("a:four:1");
        assertEquals(List.of("one-1.jar"), resolve(PACKAGES, "a:one:1", EXCLUDES, "a:two,b.*:th*"));
        assertEquals(List.of("one-1.jar"), resolve(PACKAGES, "ivy://a:one:1?transitive=false"));
        assertEquals(
                List.of("one-1.jar", "three-1.jar"), resolve(PACKAGES, "ivy://a:one:1?transitive=true&exclude=a:two"));
    }

    @Test
    void leavesOutItselfAndSpark() throws Exception {
        remote.add("a:one:1", Needs.on("dev.hearth:hearth-api:9"), Needs.on("org.apache.spark:spark-core_2.13:4"))
                .add("org.scala-lang:scala-library:2");
        assertEquals(
                List.of("one-1.jar", "scala-library-2.jar"),
                resolve(PACKAGES, "a:one:1,org.apache.spark:spark-avro_2.13:4,org.scala-lang:scala-library:2"));
        List<String> once =
                List.of("org.apache.spark:spark-avro_2.13, org.apache.spark:spark-core_2.13: left out, because"
                        + " artifacts of Spark need Spark's own classes (expected: packages that work without Spark)");
        assertEquals(once, said.warnings);
        assertEquals(List.of(), resolve(PACKAGES, "org.apache.spark:spark-avro_2.13:4"));
    }

    @Test
    void takesTheNearestVersionAndSaysSo() throws Exception {
        remote.add("a:one:1", Needs.on("a:two:1"), Needs.on("a:three:1"))
                .add("a:two:1", Needs.on("a:three:2"))
                .add("a:three:1")
                .add("a:three:2");
        assertEquals(List.of("one-1.jar", "two-1.jar", "three-1.jar"), resolve(PACKAGES, "a:one:1"));
        assertTrue(
                said.notes.contains("a:three:1 instead of 2, which a:two:1 needs: the nearest version is taken"),
                said.notes::toString);
    }

    @Test
    void takesTypesAndClassifiers() throws Exception {
        remote.add("a:one:1");
        remote.addFile("a:one:1", "-tests.jar", DiskRepository.jar("a:tests:1"));
        assertEquals(List.of("one-1-tests.jar"), resolve(PACKAGES, "a:one:jar:tests:1"));
        remote.addDescription("a:all:1", Needs.on("a:one:1"));
        assertEquals(List.of("one-1.jar"), resolve(PACKAGES, "a:all:pom:1"));
    }

    @Test
    void searchesRepositoriesInOrder() throws Exception {
        DiskRepository second = new DiskRepository(base.resolve("second")).add("a:two:1");
        DiskRepository third = new DiskRepository(base.resolve("third")).add("a:three:1");
        third.addFile("a:two:1", ".jar", DiskRepository.jar("another:two:1"));
        remote.add("a:one:1", Needs.on("a:two:1"), Needs.on("a:three:1"));
        List<Path> jars = paths(PACKAGES, "a:one:1", "hearth.jars.repositories", second.url() + "," + third.url());
        assertEquals(List.of("one-1.jar", "two-1.jar", "three-1.jar"), DiskRepository.names(jars));
        assertEquals(-1, Files.mismatch(jars.get(1), second.file("a:two:1", ".jar")));
    }

    @Test
    void takesFilesOfTheLocalRepositoryWithoutAskingAnother() throws Exception {
        DiskRepository local = new DiskRepository(home.resolve(".m2/repository")).add("a:one:1", Needs.on("a:two:1"));
        local.add("a:two:1");
        assertEquals(List.of("one-1.jar", "two-1.jar"), resolve(PACKAGES, "a:one:1", OFFLINE, "true"));
        assertEquals(List.of(), said.downloads);
    }

    @Test
    void usesAnotherDirectoryAndCopiesFromTheLocalRepository() throws Exception {
        new DiskRepository(home.resolve(".m2/repository")).add("a:one:1");
        List<Path> jars = paths(PACKAGES, "a:one:1", "hearth.jars.ivy", "cache");
        assertEquals(List.of(base.resolve("cache/a/one/1/one-1.jar")), jars);
    }

    @Test
    void findsWhatABuildHasPublishedForItself() throws Exception {
        for (Path root : List.of(home.resolve(".ivy2.5.2/local"), base.resolve("cache/local"))) {
            publish(root, "a.b:mylib:0.1", Needs.on("a.b:mydep:0.5"));
            publish(root, "a.b:mydep:0.5");
            List<Path> jars = paths(PACKAGES, "a.b:mylib:0.1", "hearth.jars.ivy", "cache");
            assertEquals(
                    List.of(root.resolve("a.b/mylib/0.1/jars/mylib.jar"), root.resolve("a.b/mydep/0.5/jars/mydep.jar")),
                    jars);
            delete(root);
        }
    }

    private void publish(Path root, String coordinate, Needs... needs) throws IOException {
        DiskRepository built = new DiskRepository(base.resolve("built")).add(coordinate, needs);
        String[] parts = coordinate.split(":", -1);
        Path directory = root.resolve(parts[0]).resolve(parts[1]).resolve(parts[2]);
        for (String type : List.of("jar", "pom")) {
            Path target = Files.createDirectories(directory.resolve(type + "s"));
            Files.copy(built.file(coordinate, "." + type), target.resolve(parts[1] + "." + type));
        }
    }

    @Test
    void ignoresDependenciesThatAreNoJars() throws Exception {
        remote.add("a:one:1", new Needs("a:two:1", "<type>pom</type>"), new Needs("a:three:1", "<type>zip</type>"));
        remote.addDescription("a:two:1");
        assertEquals(List.of("one-1.jar"), resolve(PACKAGES, "a:one:1"));
    }

    @Test
    void deletesWhatKilledProcessesHaveLeft() throws Exception {
        DiskRepository local = new DiskRepository(home.resolve(".m2/repository")).add("a:one:1");
        Path old = Files.writeString(local.file("a:one:1", ".jar.1.tmp"), "half");
        Files.setLastModifiedTime(old, FileTime.from(clock.instant().minus(Duration.ofHours(25))));
        Path running = Files.writeString(local.file("a:one:1", ".jar.2.tmp"), "half");
        Files.setLastModifiedTime(running, FileTime.from(clock.instant().minus(Duration.ofHours(23))));
        resolve(PACKAGES, "a:one:1");
        assertTrue(Files.notExists(old));
        assertTrue(Files.exists(running));
    }

    @Test
    void leavesNothingButFilesOfPackages() throws Exception {
        remote.add("a:one:1");
        resolve(PACKAGES, "a:one:1", "hearth.jars.ivy", "cache");
        try (Stream<Path> all = Files.list(base.resolve("cache"))) {
            assertEquals(
                    List.of(".closures", ".locks", "a"),
                    all.map(path -> path.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void readsTheSettingsOfMaven() throws Exception {
        remote.add("a:one:1");
        DiskRepository profile = new DiskRepository(base.resolve("profile")).add("a:two:1");
        settings("<localRepository>" + base.resolve("elsewhere") + "</localRepository>"
                + "<mirrors><mirror><id>m</id><mirrorOf>central</mirrorOf><url>" + remote.url()
                + "</url></mirror></mirrors><profiles><profile><id>p</id><repositories><repository><id>own</id><url>"
                + profile.url() + "</url></repository></repositories></profile></profiles>"
                + "<activeProfiles><activeProfile>p</activeProfile></activeProfiles>");
        List<Path> jars =
                paths(PACKAGES, "a:one:1,a:two:1", "hearth.jars.defaultRepository", "http://127.0.0.1:1/unreachable");
        assertEquals(
                List.of(base.resolve("elsewhere/a/one/1/one-1.jar"), base.resolve("elsewhere/a/two/1/two-1.jar")),
                jars);
    }

    @Test
    void saysWhichFileOfSettingsIsMalformed() throws Exception {
        settings("<mirrors>");
        HearthException failure = fails("a:one:1");
        assertTrue(message(failure).startsWith("settings of Maven: "), () -> message(failure));
        assertTrue(message(failure).contains("settings.xml"), () -> message(failure));
    }

    @Test
    void namesEachRepositoryAndItsAnswer() throws Exception {
        remote.add("a:one:1", Needs.on("a:gone:1"));
        DiskRepository second = new DiskRepository(base.resolve("second"));
        Files.createDirectories(second.root());
        HearthException failure = fails("a:one:1", "hearth.jars.repositories", second.url());
        assertEquals(
                "packages: 1 cannot be resolved (expected: each in one of the repositories); check the coordinates, and name"
                        + " further repositories with --repositories\n  a:gone:1\n    central " + remote.url()
                        + ": no such file\n    repo-1 " + second.url() + ": no such file",
                message(failure));
    }

    @Test
    void saysThatDownloadsAreOff() throws Exception {
        remote.add("a:one:1");
        HearthException failure = fails("a:one:1", OFFLINE, "true");
        assertTrue(
                message(failure).contains("unset hearth.jars.offline, and offline in ~/.m2/settings.xml\n  a:one:1\n"),
                () -> message(failure));
        settings("<offline>true</offline>");
        assertTrue(message(fails("a:one:1")).contains("because downloads are off"));
    }

    @Test
    void refusesAFileThatDiffersFromItsChecksum() throws Exception {
        remote.add("a:one:1");
        Files.writeString(remote.file("a:one:1", ".jar.sha1"), "0000000000000000000000000000000000000000");
        HearthException failure = fails("a:one:1");
        assertTrue(message(failure).contains("sent a file that differs from its checksum"), () -> message(failure));
        assertEquals(List.of(), filesOf("one-1.jar"));
    }

    @Test
    void refusesADamagedFileOfTheLocalRepository() throws Exception {
        DiskRepository local = new DiskRepository(home.resolve(".m2/repository")).add("a:one:1");
        Files.writeString(local.file("a:one:1", ".jar"), "other");
        assertTrue(message(fails("a:one:1")).contains(" differs from its checksum one-1.jar.sha1 (expected: the file"));
        Files.delete(local.file("a:one:1", ".jar.sha1"));
        assertTrue(message(fails("a:one:1")).contains(" is no jar (expected: the file"));
    }

    @Test
    void repeatsARequestWithoutAnyRepository() throws Exception {
        remote.add("a:one:1", Needs.on("org.apache.spark:spark-core_2.13:4"));
        List<Path> first = paths(PACKAGES, "a:one:1");
        delete(remote.root());
        said.downloads.clear();
        assertEquals(first, paths(PACKAGES, "a:one:1"));
        assertEquals(2, said.warnings.size());
        assertTrue(said.notes.contains("1 jars, as for an equal request before"), said.notes::toString);
        Files.writeString(first.get(0), "another content");
        assertEquals(List.of(), said.downloads);
        assertTrue(message(fails("a:one:1")).contains("differs from its checksum"));
    }

    @Test
    void asksAgainForSnapshotsAfterADay() throws Exception {
        remote.add("a:one:1-SNAPSHOT");
        List<Path> first = paths(PACKAGES, "a:one:1-SNAPSHOT");
        Path closures = home.resolve(".cache/hearth/packages");
        ClosureCache cache = new ClosureCache(closures, clock);
        ClosureKey key = ClosureKey.of(request(PACKAGES, "a:one:1-SNAPSHOT"), files());
        assertEquals(first, cache.find(key, false).orElseThrow().paths());
        ClosureCache later = new ClosureCache(closures, Clock.offset(clock, Duration.ofHours(25)));
        assertTrue(later.find(key, false).isEmpty());
        assertEquals(first, later.find(key, true).orElseThrow().paths());
    }

    @Test
    void forgetsResultsWhenSettingsChange() throws Exception {
        ClosureKey before = ClosureKey.of(request(PACKAGES, "a:one:1"), files());
        settings("<offline>false</offline>");
        ClosureKey after = ClosureKey.of(request(PACKAGES, "a:one:1"), files());
        assertTrue(!before.equals(after), before::text);
        ClosureKey other = ClosureKey.of(request(PACKAGES, "a:one:1", EXCLUDES, "a:b"), files());
        assertTrue(!after.equals(other), after::text);
    }

    @Test
    void keepsNoResultThatIsDamaged() throws Exception {
        remote.add("a:one:1");
        List<Path> first = paths(PACKAGES, "a:one:1");
        Path closure;
        try (Stream<Path> all = Files.list(home.resolve(".cache/hearth/packages"))) {
            closure = all.toList().get(0);
        }
        String text = Files.readString(closure);
        Files.writeString(closure, text.substring(0, text.length() - 5));
        assertEquals(first, paths(PACKAGES, "a:one:1"));
        assertEquals(text, Files.readString(closure));
    }

    private void settings(String xml) throws IOException {
        Files.createDirectories(home.resolve(".m2"));
        Files.write(
                home.resolve(".m2/settings.xml"),
                ("<settings>" + xml + "</settings>").getBytes(StandardCharsets.UTF_8));
    }

    private HearthException fails(String packages, String... more) {
        List<String> settings = new ArrayList<>(List.of(PACKAGES, packages));
        settings.addAll(List.of(more));
        HearthException failure = assertThrows(HearthException.class, () -> paths(settings.toArray(new String[0])));
        assertEquals(ErrorCode.PACKAGES_UNRESOLVED.name(), failure.code());
        return failure;
    }

    private static String message(HearthException failure) {
        return String.valueOf(failure.getMessage());
    }

    private List<String> resolve(String... settings) throws InterruptedException {
        return DiskRepository.names(paths(settings));
    }

    private List<Path> paths(String... settings) throws InterruptedException {
        return new MavenPackageResolver(files(), clock).resolve(request(settings), said);
    }

    private UserFiles files() {
        return new UserFiles(home, base, Map.of());
    }

    private PackageRequest request(String... settings) {
        Settings all = Settings.empty().with("test", "hearth.jars.defaultRepository", remote.url());
        for (int i = 0; i < settings.length; i += 2) {
            all = all.with("test", settings[i], settings[i + 1]);
        }
        return PackageRequest.from(all);
    }

    /** Paths of the files with a name below the home directory. */
    private List<Path> filesOf(String name) throws IOException {
        try (Stream<Path> all = Files.walk(home)) {
            return all.filter(file -> file.getFileName().toString().equals(name))
                    .toList();
        }
    }

    private static void delete(Path directory) throws IOException {
        List<Path> paths;
        try (Stream<Path> all = Files.walk(directory)) {
            paths = new ArrayList<>(all.toList());
        }
        for (int i = paths.size() - 1; i >= 0; i--) {
            Files.delete(paths.get(i));
        }
    }
}
