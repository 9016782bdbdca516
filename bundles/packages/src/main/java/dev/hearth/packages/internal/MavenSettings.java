package dev.hearth.packages.internal;

import dev.hearth.spi.error.ErrorCode;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.maven.settings.Mirror;
import org.apache.maven.settings.Profile;
import org.apache.maven.settings.Proxy;
import org.apache.maven.settings.Repository;
import org.apache.maven.settings.Server;
import org.apache.maven.settings.Settings;
import org.apache.maven.settings.building.DefaultSettingsBuilderFactory;
import org.apache.maven.settings.building.DefaultSettingsBuildingRequest;
import org.apache.maven.settings.building.SettingsBuildingException;
import org.apache.maven.settings.building.SettingsProblem;
import org.apache.maven.settings.crypto.DefaultSettingsDecrypter;
import org.apache.maven.settings.crypto.DefaultSettingsDecryptionRequest;
import org.apache.maven.settings.crypto.SettingsDecryptionResult;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.eclipse.aether.repository.Authentication;
import org.eclipse.aether.repository.AuthenticationSelector;
import org.eclipse.aether.repository.MirrorSelector;
import org.eclipse.aether.repository.ProxySelector;
import org.eclipse.aether.util.repository.AuthenticationBuilder;
import org.eclipse.aether.util.repository.DefaultAuthenticationSelector;
import org.eclipse.aether.util.repository.DefaultMirrorSelector;
import org.eclipse.aether.util.repository.DefaultProxySelector;
import org.eclipse.aether.util.repository.JreProxySelector;
import org.sonatype.plexus.components.cipher.DefaultPlexusCipher;
import org.sonatype.plexus.components.sec.dispatcher.DefaultSecDispatcher;

/**
 * The user's settings of Maven: local repository, mirrors, proxies, passwords, which may be encrypted, and repositories
 * of active profiles. Passwords stay in selectors and are never part of a text. Used by one resolution.
 */
final class MavenSettings {
    /** Begin of the key of a session under which the headers for a repository stand, before the id of the repository. */
    static final String HEADERS = "hearth.headers.";

    private final Settings settings;
    private final List<Server> servers;
    private final List<Proxy> proxies;

    private MavenSettings(Settings settings, List<Server> servers, List<Proxy> proxies) {
        this.settings = settings;
        this.servers = servers;
        this.proxies = proxies;
    }

    /** Reads the files that exist. Fails with {@code PACKAGES_UNRESOLVED} if one is malformed. */
    static MavenSettings read(UserFiles files, Consumer<String> warning) {
        DefaultSettingsBuildingRequest request = new DefaultSettingsBuildingRequest();
        Properties properties = new Properties();
        properties.putAll(System.getProperties());
        properties.setProperty("user.home", files.home().toString());
        files.environment().forEach((name, value) -> properties.setProperty("env." + name, value));
        request.setSystemProperties(properties);
        existing(files.settings()).ifPresent(request::setUserSettingsFile);
        files.globalSettings().map(Path::toFile).ifPresent(request::setGlobalSettingsFile);
        try {
            Settings read = new DefaultSettingsBuilderFactory()
                    .newInstance()
                    .build(request)
                    .getEffectiveSettings();
            SettingsDecryptionResult plain = decrypt(read, files.securitySettings());
            plain.getProblems().forEach(problem -> warning.accept(text(problem)));
            return new MavenSettings(read, plain.getServers(), plain.getProxies());
        } catch (SettingsBuildingException malformed) {
            throw ErrorCode.PACKAGES_UNRESOLVED.failure(
                    "settings of Maven: " + text(malformed.getProblems().get(0))
                            + " (expected: settings that Maven can read); correct the file",
                    malformed);
        }
    }

    private static SettingsDecryptionResult decrypt(Settings settings, Path security) {
        DefaultSettingsDecryptionRequest request = new DefaultSettingsDecryptionRequest(settings);
        DefaultSecDispatcher dispatcher =
                new DefaultSecDispatcher(new DefaultPlexusCipher(), Map.of(), security.toString());
        return new DefaultSettingsDecrypter(dispatcher).decrypt(request);
    }

    private static String text(SettingsProblem problem) {
        String place = problem.getLocation().isEmpty() ? problem.getSource() : problem.getLocation();
        return place + ": " + problem.getMessage();
    }

    private static Optional<File> existing(Path file) {
        return Files.isRegularFile(file) ? Optional.of(file.toFile()) : Optional.empty();
    }

    /** The local repository that the settings name; empty if they name none. */
    Optional<Path> repository() {
        return Optional.ofNullable(settings.getLocalRepository())
                .filter(text -> !text.isBlank())
                .map(Path::of);
    }

    boolean isOffline() {
        return settings.isOffline();
    }

    MirrorSelector mirrors() {
        DefaultMirrorSelector selector = new DefaultMirrorSelector();
        for (Mirror mirror : settings.getMirrors()) {
            selector.add(
                    mirror.getId(),
                    mirror.getUrl(),
                    mirror.getLayout(),
                    false,
                    mirror.isBlocked(),
                    mirror.getMirrorOf(),
                    mirror.getMirrorOfLayouts());
        }
        return selector;
    }

    /** The proxies of the settings; those of the Java process if there are none. */
    ProxySelector proxies() {
        DefaultProxySelector selector = new DefaultProxySelector();
        boolean any = false;
        for (Proxy proxy : proxies) {
            if (proxy.isActive()) {
                any = true;
                selector.add(
                        new org.eclipse.aether.repository.Proxy(
                                proxy.getProtocol(),
                                proxy.getHost(),
                                proxy.getPort(),
                                authentication(proxy.getUsername(), proxy.getPassword())),
                        proxy.getNonProxyHosts());
            }
        }
        return any ? selector : new JreProxySelector();
    }

    AuthenticationSelector authentications() {
        DefaultAuthenticationSelector selector = new DefaultAuthenticationSelector();
        for (Server server : servers) {
            selector.add(server.getId(), authentication(server.getUsername(), server.getPassword()));
        }
        return selector;
    }

    /** Headers that servers in the settings ask for, as properties of a session. */
    Map<String, Object> headers() {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Server server : servers) {
            if (server.getConfiguration() instanceof Xpp3Dom configuration
                    && configuration.getChild("httpHeaders") != null) {
                Map<String, String> headers = new LinkedHashMap<>();
                for (Xpp3Dom header : configuration.getChild("httpHeaders").getChildren("property")) {
                    Xpp3Dom name = header.getChild("name");
                    Xpp3Dom value = header.getChild("value");
                    if (name != null && value != null) {
                        headers.put(name.getValue(), value.getValue());
                    }
                }
                properties.put(HEADERS + server.getId(), headers);
            }
        }
        return properties;
    }

    private static Authentication authentication(String user, String password) {
        return new AuthenticationBuilder()
                .addUsername(user)
                .addPassword(password)
                .build();
    }

    /** The addresses of repositories in active profiles, by their ids. */
    Map<String, String> repositories() {
        Map<String, String> addresses = new LinkedHashMap<>();
        for (Profile profile : settings.getProfiles()) {
            boolean byDefault =
                    profile.getActivation() != null && profile.getActivation().isActiveByDefault();
            if (byDefault || settings.getActiveProfiles().contains(profile.getId())) {
                for (Repository repository : new ArrayList<>(profile.getRepositories())) {
                    addresses.put(repository.getId(), repository.getUrl());
                }
            }
        }
        return addresses;
    }
}
