package dev.hearth.hadoopclient.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.shaded.javax.ws.rs.core.Application;
import org.apache.hadoop.shaded.javax.ws.rs.core.Link;
import org.apache.hadoop.shaded.javax.ws.rs.core.MediaType;
import org.apache.hadoop.shaded.javax.ws.rs.core.Response.ResponseBuilder;
import org.apache.hadoop.shaded.javax.ws.rs.core.UriBuilder;
import org.apache.hadoop.shaded.javax.ws.rs.core.Variant.VariantListBuilder;
import org.apache.hadoop.shaded.javax.ws.rs.ext.RuntimeDelegate;

/**
 * Reader of media types for WebHDFS. Hadoop's shaded client asks an implementation of JAX-RS for it, which it does not
 * contain, so that no answer of a NameNode could be read by HTTP. Found as a service; stateless.
 */
public final class MediaTypes extends RuntimeDelegate {
    private static final String NO_MORE = "JAX-RS: Hadoop's client has no more of it (expected: media types alone)";

    @Override
    @SuppressWarnings("unchecked") // there is one type of header
    public <T> HeaderDelegate<T> createHeaderDelegate(Class<T> type) {
        if (type != MediaType.class) {
            throw new IllegalArgumentException("header " + type + ": unknown (expected: a media type)");
        }
        return (HeaderDelegate<T>) new Header();
    }

    @Override
    public UriBuilder createUriBuilder() {
        throw new UnsupportedOperationException(NO_MORE);
    }

    @Override
    public ResponseBuilder createResponseBuilder() {
        throw new UnsupportedOperationException(NO_MORE);
    }

    @Override
    public VariantListBuilder createVariantListBuilder() {
        throw new UnsupportedOperationException(NO_MORE);
    }

    @Override
    public <T> T createEndpoint(Application application, Class<T> type) {
        throw new UnsupportedOperationException(NO_MORE);
    }

    @Override
    public Link.Builder createLinkBuilder() {
        throw new UnsupportedOperationException(NO_MORE);
    }

    /** The header Content-Type. */
    private static final class Header implements HeaderDelegate<MediaType> {
        @Override
        public MediaType fromString(String value) {
            String[] parts = value.split(";", -1);
            String[] names = parts[0].strip().split("/", -1);
            if (names.length != 2 || names[0].isEmpty() || names[1].isEmpty()) {
                throw new IllegalArgumentException(
                        "media type '" + value + "': (expected: such as application/json;charset=utf-8)");
            }
            Map<String, String> parameters = new LinkedHashMap<>();
            for (int i = 1; i < parts.length; i++) {
                int equals = parts[i].indexOf('=');
                if (equals > 0) {
                    parameters.put(
                            parts[i].substring(0, equals).strip(),
                            parts[i].substring(equals + 1).strip().replace("\"", ""));
                }
            }
            return new MediaType(names[0], names[1], parameters);
        }

        @Override
        public String toString(MediaType type) {
            StringBuilder text = new StringBuilder(type.getType() + "/" + type.getSubtype());
            type.getParameters()
                    .forEach((name, value) ->
                            text.append(';').append(name).append('=').append(value));
            return text.toString();
        }
    }
}
