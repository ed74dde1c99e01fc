//! The types of the documents. `S` is the string type: `String`, or `Text`, which borrows if possible.

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A string that is borrowed if it has no escapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Text<'a>(pub Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrow;

        impl<'de> Visitor<'de> for Borrow {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }

            fn visit_string<E: Error>(self, text: String) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text)))
            }
        }

        deserializer.deserialize_str(Borrow)
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// The members of an object in order: with a hash map, its hash function would be timed.
#[derive(Debug, PartialEq)]
pub struct Members<K, V>(pub Vec<(K, V)>);

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for Members<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect<K, V>(PhantomData<(K, V)>);

        impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for Collect<K, V> {
            type Value = Members<K, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Collect(PhantomData))
    }
}

impl<K: Serialize, V: Serialize> Serialize for Members<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Canada<F> {
    #[serde(rename = "type")]
    pub kind: String,
    pub features: Vec<Feature<F>>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Feature<F> {
    #[serde(rename = "type")]
    pub kind: String,
    pub properties: Properties,
    pub geometry: Geometry<F>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Properties {
    pub name: String,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Geometry<F> {
    #[serde(rename = "type")]
    pub kind: String,
    pub coordinates: Vec<Vec<(F, F)>>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Citm<S> {
    pub area_names: Members<S, S>,
    pub audience_sub_category_names: Members<S, S>,
    pub block_names: Members<S, S>,
    pub events: Members<S, CitmEvent<S>>,
    pub performances: Vec<Performance<S>>,
    pub seat_category_names: Members<S, S>,
    pub sub_topic_names: Members<S, S>,
    pub subject_names: Members<S, S>,
    pub topic_names: Members<S, S>,
    pub topic_sub_topics: Members<S, Vec<u32>>,
    pub venue_names: Members<S, S>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CitmEvent<S> {
    pub description: (),
    pub id: u32,
    pub logo: Option<S>,
    pub name: S,
    pub sub_topic_ids: Vec<u32>,
    pub subject_code: (),
    pub subtitle: (),
    pub topic_ids: Vec<u32>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Performance<S> {
    pub event_id: u32,
    pub id: u32,
    pub logo: Option<S>,
    pub name: (),
    pub prices: Vec<Price>,
    pub seat_categories: Vec<SeatCategory>,
    pub seat_map_image: (),
    pub start: u64,
    pub venue_code: S,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Price {
    pub amount: u32,
    pub audience_sub_category_id: u32,
    pub seat_category_id: u32,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeatCategory {
    pub areas: Vec<Area>,
    pub seat_category_id: u32,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Area {
    pub area_id: u32,
    pub block_ids: [(); 0],
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Twitter<S> {
    pub statuses: Vec<Status<S>>,
    pub search_metadata: SearchMetadata<S>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Status<S> {
    pub metadata: Metadata<S>,
    pub created_at: S,
    pub id: u64,
    pub id_str: S,
    pub text: S,
    pub source: S,
    pub truncated: bool,
    pub in_reply_to_status_id: Option<u64>,
    pub in_reply_to_status_id_str: Option<S>,
    pub in_reply_to_user_id: Option<u32>,
    pub in_reply_to_user_id_str: Option<S>,
    pub in_reply_to_screen_name: Option<S>,
    pub user: User<S>,
    pub geo: (),
    pub coordinates: (),
    pub place: (),
    pub contributors: (),
    pub retweeted_status: Option<Box<Status<S>>>,
    pub retweet_count: u32,
    pub favorite_count: u32,
    pub entities: Entities<S>,
    pub favorited: bool,
    pub retweeted: bool,
    pub possibly_sensitive: Option<bool>,
    pub lang: S,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Metadata<S> {
    pub result_type: S,
    pub iso_language_code: S,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct User<S> {
    pub id: u32,
    pub id_str: S,
    pub name: S,
    pub screen_name: S,
    pub location: S,
    pub description: S,
    pub url: Option<S>,
    pub entities: UserEntities<S>,
    pub protected: bool,
    pub followers_count: u32,
    pub friends_count: u32,
    pub listed_count: u32,
    pub created_at: S,
    pub favourites_count: u32,
    pub utc_offset: Option<i32>,
    pub time_zone: Option<S>,
    pub geo_enabled: bool,
    pub verified: bool,
    pub statuses_count: u32,
    pub lang: S,
    pub contributors_enabled: bool,
    pub is_translator: bool,
    pub is_translation_enabled: bool,
    pub profile_background_color: S,
    pub profile_background_image_url: S,
    pub profile_background_image_url_https: S,
    pub profile_background_tile: bool,
    pub profile_image_url: S,
    pub profile_image_url_https: S,
    pub profile_banner_url: Option<S>,
    pub profile_link_color: S,
    pub profile_sidebar_border_color: S,
    pub profile_sidebar_fill_color: S,
    pub profile_text_color: S,
    pub profile_use_background_image: bool,
    pub default_profile: bool,
    pub default_profile_image: bool,
    pub following: bool,
    pub follow_request_sent: bool,
    pub notifications: bool,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct UserEntities<S> {
    pub url: Option<Urls<S>>,
    pub description: Urls<S>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Urls<S> {
    pub urls: Vec<Url<S>>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Url<S> {
    pub url: S,
    pub expanded_url: S,
    pub display_url: S,
    pub indices: (u8, u8),
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Entities<S> {
    pub hashtags: Vec<Hashtag<S>>,
    pub symbols: Vec<()>,
    pub urls: Vec<Url<S>>,
    pub user_mentions: Vec<Mention<S>>,
    pub media: Option<Vec<Media<S>>>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Hashtag<S> {
    pub text: S,
    pub indices: (u8, u8),
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Mention<S> {
    pub screen_name: S,
    pub name: S,
    pub id: u32,
    pub id_str: S,
    pub indices: (u8, u8),
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Media<S> {
    pub id: u64,
    pub id_str: S,
    pub indices: (u8, u8),
    pub media_url: S,
    pub media_url_https: S,
    pub url: S,
    pub display_url: S,
    pub expanded_url: S,
    #[serde(rename = "type")]
    pub kind: S,
    pub sizes: Sizes<S>,
    pub source_status_id: Option<u64>,
    pub source_status_id_str: Option<S>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Sizes<S> {
    pub medium: Size<S>,
    pub small: Size<S>,
    pub thumb: Size<S>,
    pub large: Size<S>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Size<S> {
    pub w: u16,
    pub h: u16,
    pub resize: S,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct SearchMetadata<S> {
    pub completed_in: f32,
    pub max_id: u64,
    pub max_id_str: S,
    pub next_results: S,
    pub query: S,
    pub refresh_url: S,
    pub count: u8,
    pub since_id: u64,
    pub since_id_str: S,
}

/// A message of the order book.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Update<S> {
    #[serde(rename = "type")]
    pub kind: S,
    pub product_id: S,
    pub sequence: u64,
    pub time: S,
    #[serde(default = "Vec::new")]
    pub bids: Vec<(S, S)>,
    #[serde(default = "Vec::new")]
    pub asks: Vec<(S, S)>,
}

/// One field of a record of the catalog.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Id {
    pub id: u64,
}
