package dev.hearth.rest.internal;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.osgi.service.component.annotations.Component;

/**
 * Settings of submissions by HTTP. {@code port} is that of a port of their own, if there is one, and {@code host} the
 * address to bind it to. Read from {@code hearth.master.rest.*}. Immutable.
 */
record RestSettings(
        Optional<Integer> port,
        Optional<String> host,
        long bodyBytesMax,
        List<String> environment,
        List<Pattern> resources,
        Optional<JwsFilter> filter) {
    private static final String JWS_FILTER = "org.apache.spark.ui.JWSFilter";
    private static final Pattern SIZE = Pattern.compile("(\\d{1,10})([bkmg]?)b?");
    private static final String UNITS = "bkmg";
    private static final int UNIT_BITS = 10;

    private static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.master.rest.enabled",
            false,
            "Whether a master also takes submissions by HTTP on hearth.master.rest.port, as Spark's masters do. On its own"
                    + " port it always does.");
    private static final SettingKey<Integer> PORT = SettingKey.port(
            "hearth.master.rest.port", 6066, "The port of `hearth.master.rest.enabled`; 0 takes any free one.");
    private static final SettingKey<String> HOST = SettingKey.text(
                    "hearth.master.rest.host", "", "The address to bind `hearth.master.rest.port` to.")
            .withoutDefault("that of the master");
    private static final SettingKey<String> BODY_MAX = SettingKey.text(
                    "hearth.master.rest.maxRequestBodySize",
                    "1m",
                    "The longest body of a submission by HTTP, within hearth.rest.maxRequestBodySize.")
            .obeying("a size such as 1k, 1m or 100m", text -> bytes(text) > 0);
    private static final SettingKey<List<String>> ENVIRONMENT = SettingKey.list(
            "hearth.master.rest.environment",
            List.of(),
            "Names of the environment variables of this process that a submission by HTTP may refer to as {{NAME}}.");
    private static final SettingKey<List<String>> RESOURCES = SettingKey.list(
            "hearth.master.rest.allowedAppResourcePatterns",
            List.of(),
            "Regular expressions, of which one must match the application's jar of a submission by HTTP; none allow every"
                    + " jar.");
    private static final SettingKey<List<String>> FILTERS = SettingKey.list(
            "hearth.master.rest.filters",
            List.of(),
            "Filters of submissions by HTTP: " + JWS_FILTER + ", which requires a signed token, or none.");
    private static final SettingKey<String> SECRET = SettingKey.secret(
            "hearth." + JWS_FILTER + ".param.secretKey",
            "The key of the filter " + JWS_FILTER + ", base64url, at least 32 bytes.");

    private static final List<SettingKey<?>> KEYS =
            List.of(ENABLED, PORT, HOST, BODY_MAX, ENVIRONMENT, RESOURCES, FILTERS, SECRET);

    static RestSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        boolean enabled = in.read(ENABLED);
        int port = in.read(PORT);
        Optional<String> host = in.find(HOST).filter(text -> !text.isBlank());
        String bodyMax = in.read(BODY_MAX);
        List<String> environment = in.read(ENVIRONMENT);
        List<String> resources = in.read(RESOURCES);
        List<String> filters = in.read(FILTERS);
        Optional<String> secret = in.find(SECRET);
        in.finish();
        return new RestSettings(
                enabled ? Optional.of(port) : Optional.empty(),
                host,
                bytes(bodyMax),
                environment,
                resources.stream().map(RestSettings::pattern).toList(),
                filter(filters, secret));
    }

    private static Optional<JwsFilter> filter(List<String> filters, Optional<String> secret) {
        for (String filter : filters) {
            if (!filter.equals(JWS_FILTER)) {
                throw ErrorCode.BAD_SETTING.failure(FILTERS.name() + ": '" + filter + "' (expected: " + JWS_FILTER
                        + ", the only filter there is); protect the port by hearth.rest.token or by a bundle with an"
                        + " HttpGate");
            }
        }
        if (filters.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(JwsFilter.ofKey(secret.orElseThrow(() -> ErrorCode.BAD_SETTING.failure(
                SECRET.name() + ": not set (expected: a key, as " + FILTERS.name() + " requires signed tokens)"))));
    }

    /** Returns why {@code request} has no signed token that counts at {@code now}; empty if it has, or needs none. */
    Optional<String> refusal(HttpRequest request, Instant now) {
        return filter.flatMap(check -> check.refusal(request.header("authorization"), now));
    }

    private static Pattern pattern(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException malformed) {
            throw ErrorCode.BAD_SETTING.failure(
                    RESOURCES.name() + ": '" + text + "': " + malformed.getDescription()
                            + " (expected: regular expressions separated by commas)",
                    malformed);
        }
    }

    /** Number of bytes of a size; 0 if {@code text} is none. */
    private static long bytes(String text) {
        var matcher = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return 0;
        }
        int unit = matcher.group(2).isEmpty() ? 0 : UNITS.indexOf(matcher.group(2));
        return Long.parseLong(matcher.group(1)) << (UNIT_BITS * unit);
    }

    /** Declares these settings, so that they can be checked and listed. */
    @Component(service = SettingsGroup.class)
    public static final class Group implements SettingsGroup {
        @Override
        public String owner() {
            return "rest";
        }

        @Override
        public List<SettingKey<?>> keys() {
            return KEYS;
        }
    }
}
